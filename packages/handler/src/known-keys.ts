import { YagateError } from "@yagate/protocol";

/** Throws `INVALID_REQUEST` for a field that nothing would read: a typo in an option must not switch a check off. */
export function assertKnownKeys(what: string, value: object, known: readonly string[]): void {
  const stranger = Object.keys(value).find((key) => !known.includes(key));
  if (stranger === undefined) return;
  throw new YagateError("INVALID_REQUEST", `${what} has no field ${stranger}; expected ${known.join(", ")}`);
}
