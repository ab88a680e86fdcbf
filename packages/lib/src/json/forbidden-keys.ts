/** Member names that reach an object's prototype when some later code copies or merges the value carelessly. */
export const FORBIDDEN_KEYS: ReadonlySet<string> = new Set(["__proto__", "constructor", "prototype"]);
