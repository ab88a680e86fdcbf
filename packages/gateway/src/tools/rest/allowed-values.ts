import { isDeepStrictEqual } from "node:util";
import type { JsonValue, RestParameter } from "@yagate/protocol";

/** Whether a value is let through: of a list, each item must be. */
export type IsAllowed = (value: JsonValue) => boolean;

/** Makes the check of a parameter's `allowedValues`; without them everything is let through. */
export function createAllowedCheck({
  type,
  allowedValues: allowed,
}: Pick<RestParameter, "type" | "allowedValues">): IsAllowed {
  if (allowed === undefined) return () => true;
  const isKnown = (value: JsonValue) => allowed.some((one) => isDeepStrictEqual(one, value));
  return (value) => (type === "array" && Array.isArray(value) ? value.every(isKnown) : isKnown(value));
}
