/** A namespace and the number of its tools. */
export interface Namespace {
  readonly name: string;
  readonly tools: number;
}

/** Returns the namespaces of tool names: the parts before the first dot that at least two of them share, largest first. */
export function namespacesOf(names: Iterable<string>): readonly Namespace[] {
  const counts = new Map<string, number>();
  for (const name of names) {
    const prefix = prefixOf(name);
    if (prefix !== undefined) counts.set(prefix, (counts.get(prefix) ?? 0) + 1);
  }
  return [...counts]
    .filter(([, tools]) => tools > 1)
    .map(([name, tools]) => ({ name, tools }))
    .sort((left, right) => right.tools - left.tools || (left.name < right.name ? -1 : 1));
}

/** Returns the part of a tool's name before its first dot; undefined for a name without one. */
export function prefixOf(name: string): string | undefined {
  const dot = name.indexOf(".");
  return dot > 0 && dot < name.length - 1 ? name.slice(0, dot) : undefined;
}
