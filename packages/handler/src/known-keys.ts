import { YagateError } from "@yagate/protocol/calls";

/** Throws `INVALID_REQUEST` for an unknown field, because a misspelt option must not disable a check. */
export function assertKnownKeys(what: string, value: object, known: readonly string[]): void {
  const unknownKey = Object.keys(value).find((key) => !known.includes(key));
  if (unknownKey === undefined) return;
  throw new YagateError("INVALID_REQUEST", `${what} has no field ${unknownKey}; expected ${known.join(", ")}`);
}
