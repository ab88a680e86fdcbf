import { YagateError } from "@yagate/protocol";

/**
 * Parses a JSON column that this package wrote with `JSON.stringify`.
 *
 * @throws YagateError `UNAVAILABLE` if the column does not contain JSON, because the database was damaged or edited.
 */
export function fromJson<Value>(text: string): Value {
  try {
    return JSON.parse(text) as Value;
  } catch (cause) {
    throw new YagateError("UNAVAILABLE", "the store is damaged: expected JSON in one of its columns", { cause });
  }
}
