import { canonicalJson, type JsonValue, type RestParameter, YagateError } from "@yagate/protocol";

/** Checks whether a value is allowed; for a list, whether each item is. */
export type IsAllowed = (value: JsonValue) => boolean;

/** Creates the check for a parameter's `allowedValues`. Without them, every value is allowed. */
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

/**
 * Returns the key of a value; undefined for a value that is not JSON. Equal values have equal keys, so a value can be
 * looked up instead of compared with each allowed one.
 */
function keyOf(value: JsonValue): string | undefined {
  try {
    return canonicalJson(value);
  } catch (error) {
    if (YagateError.is(error)) return undefined;
    throw error;
  }
}
