import { YagateError } from "@yagate/protocol";

/**
 * Refuses options that do not exist: a misspelt one would be passed over in silence.
 *
 * @param call - what was called, as its caller wrote it.
 * @throws YagateError `INVALID_REQUEST` that names them and those that exist.
 */
export function requireKnownOptions(given: object, known: readonly string[], call: string): void {
  if (typeof given !== "object" || given === null) {
    throw new YagateError("INVALID_REQUEST", `expected the options of ${call} as an object`);
  }
  const unknown = Object.keys(given).filter((name) => !known.includes(name));
  if (unknown.length === 0) return;
  const message = `${call} has no option ${unknown.join(", ")}; its options are ${known.join(", ")}`;
  throw new YagateError("INVALID_REQUEST", message, { hint: "correct or leave out what is named" });
}
