import type { Page } from "@yagate/protocol";
import type * as z from "zod";
import { incompatibleResponse } from "../errors/incompatible-response.ts";
import type { Transport } from "../http/transport.ts";
import { requireKnownOptions } from "../known-options.ts";

/** Options for all lists. */
export interface ListQuery {
  /** Items per page, 1 to 200; the gateway's default is 50. */
  readonly limit?: number | undefined;
  /** Where to start: the `nextCursor` of an earlier page. Default: at the first item. */
  readonly cursor?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Fetches the page at a cursor; without a cursor, the first page. */
export type FetchPage<Item> = (cursor: string | undefined) => Promise<Page<Item>>;

/**
 * A list that is fetched in pages. It sends no request until it is read, and each loop or method call starts from the
 * beginning.
 *
 * @example for await (const agent of client.agents.list()) console.log(agent.name);
 */
export class PagedList<Item> implements AsyncIterable<Item> {
  readonly #fetchPage: FetchPage<Item>;
  readonly #cursor: string | undefined;

  constructor(fetchPage: FetchPage<Item>, cursor: string | undefined) {
    this.#fetchPage = fetchPage;
    this.#cursor = cursor;
  }

  /** Fetches one page: the page at the list's `cursor`, or the first page if no cursor was set. */
  page(): Promise<Page<Item>> {
    return this.#fetchPage(this.#cursor);
  }

  /**
   * Yields the page that `page()` returns, and then all later pages. Requests each page only when the previous one has
   * been consumed.
   */
  async *pages(): AsyncGenerator<Page<Item>, void, undefined> {
    let cursor = this.#cursor;
    for (;;) {
      const page = await this.#fetchPage(cursor);
      yield page;
      if (page.nextCursor === null) return;
      if (page.nextCursor === cursor)
        throw incompatibleResponse("expected a new cursor for the next page, but got the same cursor again");
      cursor = page.nextCursor;
    }
  }

  /** Loads all items of all pages into memory. */
  async toArray(): Promise<Item[]> {
    const items: Item[] = [];
    for await (const page of this.pages()) items.push(...page.data);
    return items;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Item, void, undefined> {
    for await (const page of this.pages()) yield* page.data;
  }
}

/** Where the items of a list come from. */
export interface ListSource<Item> {
  readonly transport: Transport;
  readonly path: string;
  readonly schema: z.ZodType<Page<Item>>;
  /** Additional query parameters. */
  readonly filter?: Readonly<Record<string, string | undefined>>;
}

/** Creates the list at a path. */
export function toPagedList<Item>(source: ListSource<Item>, query: ListQuery): PagedList<Item> {
  requireKnownOptions(query, ["limit", "cursor", "signal"], "a list");
  const { transport, path, schema, filter } = source;
  const { limit, cursor: first, signal } = query;
  return new PagedList(
    (cursor) => transport.json({ method: "GET", path, query: { ...filter, limit, cursor }, signal }, schema),
    first,
  );
}
