import { YagateError } from "@yagate/protocol";

/** The values that a number may have. */
export interface NumberRange {
  readonly min: number;
  /** Default: no maximum. */
  readonly max?: number;
}

/**
 * Parses the whole number of an option.
 *
 * @param option - the option, such as `--limit`.
 * @throws YagateError `INVALID_REQUEST` if the text is not a whole number in the range.
 */
export function wholeNumberOf(
  text: string,
  option: string,
  { min, max = Number.MAX_SAFE_INTEGER }: NumberRange,
): number {
  const number = /^-?\d+$/.test(text) ? Number(text) : Number.NaN;
  if (number >= min && number <= max) return number;
  const range = max === Number.MAX_SAFE_INTEGER ? `, at least ${min}` : ` from ${min} to ${max}`;
  throw new YagateError("INVALID_REQUEST", `expected ${option} to be a whole number${range}`);
}
