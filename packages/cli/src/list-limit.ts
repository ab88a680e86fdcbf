import type { Output } from "./frame/output.ts";
import { wholeNumberOf } from "./whole-number.ts";

/** Number of entries that are printed for people by default. */
const DEFAULT_LIMIT = 50;

/**
 * Returns how many entries a list that may be long prints: `--limit`. Default: 50 for people, all as JSON.
 *
 * @throws YagateError `INVALID_REQUEST` if the text is not a whole number of at least 1.
 */
export function listLimitOf(asked: string | undefined, { isJson }: Pick<Output, "isJson">): number {
  if (asked !== undefined) return wholeNumberOf(asked, "--limit", { min: 1 });
  return isJson ? Number.POSITIVE_INFINITY : DEFAULT_LIMIT;
}
