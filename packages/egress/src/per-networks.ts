/** Values that are created once for each list of allowlisted networks. Workspaces with the same list share a value. */
export interface PerNetworks<Made> {
  of(workspaceId: string): Made;
  /** Returns all values created so far. */
  made(): readonly Made[];
}

/**
 * Creates one value per list of networks. This separates connections by policy: a connection that one workspace's
 * networks allow must never carry requests of a workspace whose networks do not allow it.
 *
 * @param cidrsOf - returns the networks of a workspace. There must be a limited number of different lists, and equal
 *   lists must be the same object.
 */
export function createPerNetworks<Made>(
  cidrsOf: (workspaceId: string) => readonly string[],
  make: (allowCidrs: readonly string[]) => Made,
): PerNetworks<Made> {
  const byList = new Map<readonly string[], Made>();
  const bySet = new Map<string, Made>();
  return {
    of(workspaceId) {
      const list = cidrsOf(workspaceId);
      const known = byList.get(list);
      if (known !== undefined) return known;
      const cidrs = [...new Set(list)].toSorted();
      const key = cidrs.join(",");
      const made = bySet.get(key) ?? make(cidrs);
      bySet.set(key, made);
      byList.set(list, made);
      return made;
    },
    made: () => [...bySet.values()],
  };
}
