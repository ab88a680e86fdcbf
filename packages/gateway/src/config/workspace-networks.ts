import type { CompleteConfig } from "./gateway-config.ts";

type NetworkConfig = Pick<CompleteConfig, "allowCidrs" | "workspaceCidrs">;

/**
 * Creates the function that returns the networks that the operator allowlisted for a workspace: those listed under its
 * id in `workspaceCidrs` and, for `default`, also `allowCidrs`. Without `workspaceCidrs`, `allowCidrs` applies to all
 * workspaces, as it did before that setting existed.
 *
 * @param defaultWorkspaceId - the id of the workspace `default`.
 * @returns a function from a workspace id to its networks. For the same id, it always returns the same array.
 */
export function createWorkspaceNetworks(
  { allowCidrs, workspaceCidrs }: NetworkConfig,
  defaultWorkspaceId: string,
): (workspaceId: string) => readonly string[] {
  if (workspaceCidrs === undefined) return () => allowCidrs;
  const byId = new Map(Object.entries(workspaceCidrs));
  byId.set(defaultWorkspaceId, [...allowCidrs, ...(byId.get(defaultWorkspaceId) ?? NONE)]);
  return (workspaceId) => byId.get(workspaceId) ?? NONE;
}

/** Returns whether workspaces other than `default` have networks that were not allowlisted for them by id. */
export function areNetworksShared({ allowCidrs, workspaceCidrs }: NetworkConfig): boolean {
  return workspaceCidrs === undefined && allowCidrs.length > 0;
}

const NONE: readonly string[] = [];
