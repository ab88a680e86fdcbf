import type { CompleteConfig } from "./gateway-config.ts";

type NetworkConfig = Pick<CompleteConfig, "allowCidrs" | "workspaceCidrs">;

/**
 * Creates the function that returns the networks that the operator allowlisted for a workspace: `allowCidrs` for
 * `default`, and those in `workspaceCidrs` for other workspaces, by id. Without `workspaceCidrs`, `allowCidrs` applies
 * to all workspaces, as it did before that setting existed.
 *
 * @param defaultWorkspaceId - the id of the workspace `default`.
 * @returns a function from a workspace id to its networks. It returns the same object every time.
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
