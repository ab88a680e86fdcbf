import { isObject } from "@yagate/lib/json/json-object";
import { YagateError } from "@yagate/protocol";

/**
 * Rejects unknown options, because a misspelt option would otherwise have no effect without an error.
 *
 * @param call - the method's name, as users of the client write it.
 * @throws YagateError `INVALID_REQUEST` with the unknown and the known names.
 */
export function requireKnownOptions(given: object, known: readonly string[], call: string): void {
  if (!isObject(given)) {
    throw new YagateError("INVALID_REQUEST", `expected the options of ${call} to be an object`);
  }
  const unknown = Object.keys(given).filter((name) => !known.includes(name));
  if (unknown.length === 0) return;
  const message = `${call} has no option ${unknown.join(", ")}; its options are ${known.join(", ")}`;
  throw new YagateError("INVALID_REQUEST", message, { hint: "correct or remove the unknown options" });
}
