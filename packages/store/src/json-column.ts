import { YagateError } from "@yagate/protocol";

/**
 * Reads a JSON column that this package wrote with `JSON.stringify`.
 *
 * @throws YagateError `UNAVAILABLE` if it is not JSON: the file was damaged or edited.
 */
export function fromJson<Value>(text: string): Value {
  try {
    return JSON.parse(text) as Value;
  } catch (cause) {
    throw new YagateError("UNAVAILABLE", "the store is damaged: expected JSON in one of its columns", { cause });
  }
}
