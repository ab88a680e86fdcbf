import type { CompleteConfig } from "./gateway-config.ts";

type NetworkConfig = Pick<CompleteConfig, "allowCidrs" | "workspaceCidrs">;

/**
 * The networks that an operator opened for each workspace: `allowCidrs` for `default`, and `workspaceCidrs` by id. As long
 * as there is no `workspaceCidrs`, `allowCidrs` count for all, which is what they did before there were the others.
 *
 * @param defaultWorkspaceId - what the workspace `default` is asked for by.
 * @returns the networks of a workspace, the same object every time.
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

/** Whether workspaces beside `default` have networks that nobody opened for them by name. */
export function areNetworksShared({ allowCidrs, workspaceCidrs }: NetworkConfig): boolean {
  return workspaceCidrs === undefined && allowCidrs.length > 0;
}

const NONE: readonly string[] = [];
