import type { Page, PageQuery } from "@yagate/protocol";
import { expect } from "vitest";

/** Reads a list to its end, and checks that its pages hold exactly these ids in this order, none
 * fuller than asked and none empty. */
export async function expectPages(
  list: (page: PageQuery) => Promise<Page<{ readonly id: string }>>,
  limit: number,
  ids: readonly string[],
): Promise<void> {
  const found: string[] = [];
  let query: PageQuery = { limit };
  for (;;) {
    const { data, nextCursor } = await list(query);
    found.push(...data.map(({ id }) => id));
    expect(data.length).toBeGreaterThan(0);
    if (nextCursor === null) break;
    expect(data).toHaveLength(limit);
    query = { limit, cursor: nextCursor };
  }
  expect(found).toEqual(ids);
}
