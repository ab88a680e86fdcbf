const MAX_LENGTH = 64;

/**
 * A tool's name for an operation: its id in snake case, or its method and path.
 *
 * @param taken - names that are used already; the new one is added.
 */
export function operationName(id: unknown, method: string, path: string, taken: Set<string>): string {
  const own = typeof id === "string" ? snakeCase(id) : "";
  const text = own === "" ? snakeCase(`${method} ${path}`) : own;
  const base = (/^[a-z]/.test(text) ? text : `op_${text}`).slice(0, MAX_LENGTH).replace(/_+$/, "");
  let name = base;
  for (let count = 2; taken.has(name); count++) name = `${base.slice(0, MAX_LENGTH - `_${count}`.length)}_${count}`;
  taken.add(name);
  return name;
}

function snakeCase(text: string): string {
  return text
    .slice(0, 500)
    .replaceAll(/([a-z0-9])([A-Z])/g, "$1_$2")
    .replaceAll(/([A-Z])([A-Z][a-z])/g, "$1_$2")
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "_")
    .replaceAll(/^_+|_+$/g, "");
}
