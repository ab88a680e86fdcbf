import { type Page, type PageQuery, pageQuerySchema } from "@yagate/protocol";
import { idBelow, nameAbove, numberBelow, toPage } from "@yagate/store/cursor";
import * as z from "zod";

/** The query of a list whose pages end at an id. */
export const idPageQuerySchema = pageQuerySchema.extend({ cursor: cursorSchema(idBelow) });
/** The query of a list in the order of names. */
export const namePageQuerySchema = pageQuerySchema.extend({ cursor: cursorSchema(nameAbove) });
/** The query of a list whose pages end at a number. */
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

/** A page of items that only ever grow at the end, oldest first; asked for with {@link numberPageQuerySchema}. */
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

/** A page of items with ids, newest first; asked for with {@link idPageQuerySchema}. */
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
