import type { FetchedPage } from "../../../web/port.ts";

const MAX_AGE_MS = 600_000;
const MAX_CHARACTERS = 16 * 1024 * 1024;

/** Pages that executions read on in, so that what follows is of the same text; kept for ten minutes at most. */
export interface KeptPages {
  find(key: string, now: number): FetchedPage | undefined;
  keep(key: string, page: FetchedPage): void;
}

/** @param maxCharacters - of all texts together; default 16 Mi. */
export function createKeptPages(maxCharacters = MAX_CHARACTERS): KeptPages {
  const pages = new Map<string, FetchedPage>();
  let characters = 0;

  function forget(key: string): void {
    characters -= pages.get(key)?.document.text.length ?? 0;
    pages.delete(key);
  }

  return {
    find(key, now) {
      const page = pages.get(key);
      if (page === undefined || now - page.fetchedAt <= MAX_AGE_MS) return page;
      forget(key);
      return undefined;
    },
    keep(key, page) {
      forget(key);
      pages.set(key, page);
      characters += page.document.text.length;
      for (const oldest of pages.keys()) {
        if (characters <= maxCharacters) return;
        forget(oldest);
      }
    },
  };
}
