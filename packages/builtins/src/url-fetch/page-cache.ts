import { LRUCache } from "lru-cache";
import type { FetchedPage } from "../web/port.ts";

const MAX_AGE_MS = 600_000;
const MAX_CHARACTERS = 16 * 1024 * 1024;

/**
 * Caches the pages of running executions, so that later parts are read from the same text. Pages stay for at most ten
 * minutes. The least recently read pages are evicted.
 */
export interface PageCache {
  find(key: string, now: number): FetchedPage | undefined;
  keep(key: string, page: FetchedPage): void;
}

/** Creates a cache. @param maxCharacters - maximum length of all texts together; default 16,777,216. */
export function createPageCache(maxCharacters = MAX_CHARACTERS): PageCache {
  const pages = new LRUCache<string, FetchedPage>({
    maxSize: maxCharacters,
    sizeCalculation: ({ document }) => Math.max(1, document.text.length),
  });
  return {
    find(key, now) {
      const page = pages.get(key);
      if (page === undefined || now - page.fetchedAt <= MAX_AGE_MS) return page;
      pages.delete(key);
      return undefined;
    },
    keep(key, page) {
      pages.set(key, page);
    },
  };
}
