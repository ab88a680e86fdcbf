import type { Store, WorkspaceRow } from "@yagate/store/port";
import { areNetworksShared } from "../config/workspace-networks.ts";
import type { ComposedKeys } from "./compose-keys.ts";
import type { GatewayContext } from "./gateway-context.ts";

/** Maximum number of workspaces that the log entry lists. It also states whether there are more. */
const MAX_NAMED = 20;

/** Logs which workspaces can reach networks that were not allowlisted for them by id. */
export interface SharedNetworksReport {
  /** Logs the existing workspaces that can reach such networks, and configured workspaces that do not exist. */
  atStart(): Promise<void>;
  onWorkspaceCreated(workspace: Pick<WorkspaceRow, "id" | "name">): void;
}

export function createSharedNetworksReport(
  { config, logger }: Pick<GatewayContext, "config" | "logger">,
  parts: { readonly store: Pick<Store, "workspaces">; readonly keys: Pick<ComposedKeys, "defaultWorkspaceId"> },
): SharedNetworksReport {
  const { allowCidrs, workspaceCidrs = {} } = config;
  const { workspaces } = parts.store;
  const isShared = areNetworksShared(config);

  function report(named: readonly Pick<WorkspaceRow, "id" | "name">[], hasMore: boolean): void {
    logger.error(
      { workspaces: named.map(({ id, name }) => ({ id, name })), hasMore, networks: allowCidrs },
      "YAGATE_ALLOW_CIDRS applies to all workspaces, because YAGATE_WORKSPACE_CIDRS is not set; a later version will apply " +
        "it only to the workspace default. Set YAGATE_WORKSPACE_CIDRS to the networks of each other workspace, or to {} " +
        "for none",
    );
  }

  return {
    async atStart() {
      for (const workspaceId of Object.keys(workspaceCidrs)) {
        if ((await workspaces.find(workspaceId)) !== undefined) continue;
        logger.warn({ workspaceId }, "YAGATE_WORKSPACE_CIDRS contains a workspace that does not exist");
      }
      if (!isShared) return;
      const { data, nextCursor } = await workspaces.list({ limit: MAX_NAMED + 1 });
      const others = data.filter(({ id }) => id !== parts.keys.defaultWorkspaceId);
      const hasMore = nextCursor !== null || others.length > MAX_NAMED;
      if (others.length > 0) report(others.slice(0, MAX_NAMED), hasMore);
    },
    onWorkspaceCreated(workspace) {
      if (isShared) report([workspace], false);
    },
  };
}
