import { fold } from "@yagate/lib/language/fold";

const CASE_CHANGE = /(\p{Ll})(?=\p{Lu})|(\p{Lu})(?=\p{Lu}\p{Ll})|(\p{L})(?=\p{N})|(\p{N})(?=\p{L})/gu;
const SEPARATORS = /[^\p{L}\p{N}\p{M}]+/u;

/**
 * Splits a name into folded words, at separators such as `.`, `_` and `-`, and where the case changes or a digit
 * follows: `orders.getHTTPStatus2` becomes `orders`, `get`, `http`, `status`, `2`.
 */
export function nameWords(name: string): readonly string[] {
  return name
    .replace(CASE_CHANGE, "$& ")
    .split(SEPARATORS)
    .filter((word) => word !== "")
    .map(fold);
}
