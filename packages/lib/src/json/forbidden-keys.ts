/** Member names that could reach an object's prototype if other code copies or merges the value carelessly. */
export const FORBIDDEN_KEYS: ReadonlySet<string> = new Set(["__proto__", "constructor", "prototype"]);
