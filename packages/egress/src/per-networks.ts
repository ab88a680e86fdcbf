/** Values that are created once for each set of allowlisted networks, and shared by the workspaces with that set. */
export interface PerNetworks<Made> {
  of(workspaceId: string): Made;
  /** All values created so far. */
  made(): readonly Made[];
}

/**
 * Separates connections by policy: a connection that one workspace's networks allow must never carry a request of a
 * workspace whose networks do not.
 *
 * @param cidrsOf - the networks of a workspace: one of a limited number of lists, each the same object every time.
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
