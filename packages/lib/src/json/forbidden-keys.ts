/**
 * Names of members that could give access to an object's prototype if other code copies or merges a value without care.
 */
export const FORBIDDEN_KEYS: ReadonlySet<string> = new Set(["__proto__", "constructor", "prototype"]);
