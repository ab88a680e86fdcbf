/**
 * Member names through which a value could reach an object's prototype when other code copies or merges it carelessly.
 */
export const FORBIDDEN_KEYS: ReadonlySet<string> = new Set(["__proto__", "constructor", "prototype"]);
