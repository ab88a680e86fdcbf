import { parseJsonOrUndefined } from "@yagate/lib/json/parse-json";
import { type Page, YagateError } from "@yagate/protocol";

/** The key of the last item of a page: an id, or a version number. */
type Key = string | number;

/** Sorts after every id, because ids contain only ASCII letters, digits, `_` and `-`. */
const AFTER_EVERY_ID = "~";

function parseCursor(cursor: string): unknown {
  return parseJsonOrUndefined(Buffer.from(cursor, "base64url").toString("utf8"));
}

function refuse(): never {
  throw new YagateError("INVALID_REQUEST", "cursor: expected the nextCursor of an earlier page");
}

/** Returns the id below which a page starts, for lists with the newest first. Throws `INVALID_REQUEST`. */
export function idBelow(cursor: string | undefined): string {
  if (cursor === undefined) return AFTER_EVERY_ID;
  const key = parseCursor(cursor);
  return typeof key === "string" ? key : refuse();
}

/** Returns the name above which a page starts, for lists ordered by name. Throws `INVALID_REQUEST`. */
export function nameAbove(cursor: string | undefined): string {
  if (cursor === undefined) return "";
  const key = parseCursor(cursor);
  return typeof key === "string" ? key : refuse();
}

/**
 * Returns the number below which a page starts, for lists that start with the highest number. Throws `INVALID_REQUEST`.
 */
export function numberBelow(cursor: string | undefined): number {
  if (cursor === undefined) return Number.MAX_SAFE_INTEGER;
  const key = parseCursor(cursor);
  return Number.isSafeInteger(key) && typeof key === "number" ? key : refuse();
}

/** Creates the cursor of the page after a key. */
export function toCursor(key: Key): string {
  return Buffer.from(JSON.stringify(key), "utf8").toString("base64url");
}

/**
 * Creates a page of at most `limit` items.
 *
 * @param rows - up to `limit + 1` rows. The extra row shows that there is a next page.
 */
export function toPage<Row, Item>(
  rows: readonly Row[],
  limit: number,
  keyOf: (row: Row) => Key,
  toItem: (row: Row) => Item,
): Page<Item> {
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  const hasMore = rows.length > limit && last !== undefined;
  return {
    data: shown.map(toItem),
    nextCursor: hasMore ? toCursor(keyOf(last)) : null,
  };
}
