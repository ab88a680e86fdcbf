import { canonicalJson, type JsonValue, type RestParameter, YagateError } from "@yagate/protocol";

/** Whether a value is let through: of a list, each item must be. */
export type IsAllowed = (value: JsonValue) => boolean;

/** Makes the check of a parameter's `allowedValues`; without them everything is let through. */
export function createAllowedCheck({
  type,
  allowedValues: allowed,
}: Pick<RestParameter, "type" | "allowedValues">): IsAllowed {
  if (allowed === undefined) return () => true;
  let keys: ReadonlySet<string | undefined> | undefined;
  const isKnown = (value: JsonValue) => {
    keys ??= new Set(allowed.map(keyOf));
    const key = keyOf(value);
    return key !== undefined && keys.has(key);
  };
  return (value) => (type === "array" && Array.isArray(value) ? value.every(isKnown) : isKnown(value));
}

/** The same for equal values, so that none is compared with each of the others. Undefined for what no API would take. */
function keyOf(value: JsonValue): string | undefined {
  try {
    return canonicalJson(value);
  } catch (error) {
    if (YagateError.is(error)) return undefined;
    throw error;
  }
}
