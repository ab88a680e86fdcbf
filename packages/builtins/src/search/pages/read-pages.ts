import { type FetchedPage, PageError, type PageFetcher } from "../../web/port.ts";
import type { Candidate } from "../asking/candidates.ts";
import type { Aged, AgedCache } from "../cache/result-cache.ts";
import type { SearchContext } from "../port.ts";

/** The page of a candidate, or the reason why it could not be read. */
export type PageOutcome =
  | { readonly page: FetchedPage }
  | { readonly problem: { readonly code: string; readonly message: string } };

/** Dependencies and limits of {@link readPages}. */
export interface ReadPagesOptions {
  readonly pages: PageFetcher;
  readonly cache: AgedCache<FetchedPage>;
  /** Maximum age of a cached page in ms. Older pages are fetched again. */
  readonly maxAgeMs: number;
  /** Maximum number of pages. */
  readonly count: number;
  readonly respectRobots: boolean;
  /** Returns whether a page, or the target of a redirect, may be read. */
  readonly isAllowed: (url: string) => boolean;
  /** Returns the current time in ms since the epoch. */
  readonly now: () => number;
}

const PARALLEL = 4;
const MAX_PAGE_MS = 8_000;
const MAX_PAGE_CHARACTERS = 400_000;
const MAX_PAGE_BYTES = 5 * 1024 * 1024;

/**
 * Reads the pages of the first candidates, four at a time, each with its own time limit. Cached pages are not fetched.
 */
export async function readPages(
  candidates: readonly Candidate[],
  context: SearchContext,
  options: ReadPagesOptions,
): Promise<ReadonlyMap<Candidate, PageOutcome>> {
  const wanted = candidates
    .slice(0, options.count)
    .filter(({ hit, url }) => hit.content === undefined && /^https?:/.test(url));
  const outcomes = new Map<Candidate, PageOutcome>();
  const queue = wanted[Symbol.iterator]();
  const work = async () => {
    for (const candidate of queue) outcomes.set(candidate, await readPage(candidate, context, options));
  };
  await Promise.all(Array.from({ length: Math.min(PARALLEL, wanted.length) }, work));
  return outcomes;
}

async function readPage(
  { url, key: page }: Candidate,
  context: SearchContext,
  options: ReadPagesOptions,
): Promise<PageOutcome> {
  const { pages, cache, maxAgeMs, respectRobots, isAllowed, now } = options;
  const key = JSON.stringify([context.workspaceId, respectRobots, page]);
  const known: Aged<FetchedPage> | undefined = cache.get(key, maxAgeMs);
  if (known !== undefined) return { page: known.value };
  const deadline = Math.min(context.deadline, now() + MAX_PAGE_MS);
  if (deadline <= now()) return { problem: { code: "TIMEOUT", message: "no time was left to read the page" } };
  try {
    const fetched = await pages.fetch({
      url,
      respectRobots,
      refusalOf: ({ href }) =>
        isAllowed(href) ? undefined : new PageError("URL_BLOCKED", "the page redirects to another site"),
      maxCharacters: MAX_PAGE_CHARACTERS,
      maxBytes: MAX_PAGE_BYTES,
      owner: context.workspaceId,
      deadline,
      signal: context.signal,
    });
    cache.set(key, fetched);
    return { page: fetched };
  } catch (error) {
    if (error instanceof PageError) return { problem: { code: error.code, message: error.message } };
    return { problem: { code: "INTERNAL", message: "the page could not be read because of an internal error" } };
  }
}
