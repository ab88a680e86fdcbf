import { type Page, type PageQuery, pageQuerySchema } from "@yagate/protocol";
import { idBelow, nameAbove, numberBelow, toPage } from "@yagate/store/cursor";
import * as z from "zod";

/** The query parameters of a list with ids as cursors. */
export const idPageQuerySchema = pageQuerySchema.extend({ cursor: cursorSchema(idBelow) });
/** The query parameters of a list that is sorted by name. */
export const namePageQuerySchema = pageQuerySchema.extend({ cursor: cursorSchema(nameAbove) });
/** The query parameters of a list with numbers as cursors. */
export const numberPageQuerySchema = pageQuerySchema.extend({ cursor: cursorSchema(numberBelow) });

function cursorSchema(read: (cursor: string) => unknown) {
  const isCursor = (cursor: string) => {
    try {
      read(cursor);
      return true;
    } catch {
      return false;
    }
  };
  return z.string().max(500).refine(isCursor, "expected the nextCursor of an earlier page").optional();
}

/** Returns a page of an append-only list, oldest first, for {@link numberPageQuerySchema}. */
export function pageOfGrowing<Item>(items: readonly Item[], { limit, cursor }: PageQuery): Page<Item> {
  const start = cursor === undefined ? 0 : Math.max(0, numberBelow(cursor));
  const rows = items.slice(start, start + limit + 1).map((item, index) => ({ item, end: start + index + 1 }));
  return toPage(
    rows,
    limit,
    ({ end }) => end,
    ({ item }) => item,
  );
}

/** Returns a page of items with ids, newest first, for {@link idPageQuerySchema}. */
export function pageOfIdentified<Item extends { readonly id: string }>(
  items: readonly Item[],
  { limit, cursor }: PageQuery,
): Page<Item> {
  const below = idBelow(cursor);
  const rows = items.filter(({ id }) => id < below).toSorted((left, right) => (left.id < right.id ? 1 : -1));
  return toPage(
    rows.slice(0, limit + 1),
    limit,
    ({ id }) => id,
    (item) => item,
  );
}

/** Returns a page of items that are sorted by name, for {@link namePageQuerySchema}. */
export function pageOfNamed<Item extends { readonly name: string }>(
  items: readonly Item[],
  query: PageQuery,
): Page<Item> {
  return pageByName(items, ({ name }) => name, query);
}

/** Returns a page of items that are sorted by what `nameOf` returns. */
export function pageByName<Item>(
  items: readonly Item[],
  nameOf: (item: Item) => string,
  { limit, cursor }: PageQuery,
): Page<Item> {
  const above = nameAbove(cursor);
  const rows = items.filter((item) => nameOf(item) > above).slice(0, limit + 1);
  return toPage(rows, limit, nameOf, (item) => item);
}
