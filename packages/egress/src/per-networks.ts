/** What is made once for each set of opened networks, and shared by the workspaces that have that set. */
export interface PerNetworks<Made> {
  of(workspaceId: string): Made;
  /** Everything that was made so far. */
  made(): readonly Made[];
}

/**
 * Keeps what belongs to a policy apart by policy: a connection that one workspace's networks allowed must never carry a
 * request of a workspace whose networks don't.
 *
 * @param cidrsOf - the networks of a workspace: one of a bounded number of lists, each the same object every time.
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
