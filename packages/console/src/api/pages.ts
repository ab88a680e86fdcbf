import type { Page } from "@yagate/protocol";
import { type RequestOptions, request } from "./request.ts";

/** Reads one page of a list. */
export async function listOf<Row>(
  path: string,
  query: RequestOptions["query"] = {},
  signal?: AbortSignal,
): Promise<readonly Row[]> {
  return (await request<Page<Row>>(path, { query, signal })).data;
}

/** The most rows that one request returns. */
const PAGE = 200;

/** Reads a whole list, page by page, up to a number of rows. */
export async function listAll<Row>(path: string, most: number, signal?: AbortSignal): Promise<readonly Row[]> {
  const found: Row[] = [];
  let cursor: string | undefined;
  do {
    const page: Page<Row> = await request(path, { query: { limit: Math.min(PAGE, most), cursor }, signal });
    found.push(...page.data);
    cursor = page.nextCursor ?? undefined;
  } while (cursor !== undefined && found.length < most);
  return found;
}
