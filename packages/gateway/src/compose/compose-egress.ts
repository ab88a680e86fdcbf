import type { AddressInfo } from "node:net";
import type { EgressPolicy } from "@yagate/egress";
import { createOwnPlaces } from "@yagate/egress";
import { createPerNetworks, type PerNetworks } from "@yagate/egress/internal";
import type { Logger } from "@yagate/lib/logging/logger";
import type { WorkspaceRow, WorkspaceStore } from "@yagate/store/port";
import type { CompleteConfig } from "../config/gateway-config.ts";
import { areNetworksShared, createWorkspaceNetworks } from "../config/workspace-networks.ts";

/** Of more workspaces the log says only that there are more. */
const MOST_NAMED = 20;

/** The policies that the gateway's ways out have. */
export interface EgressRooms {
  /** For what the operator configured: model providers, search services. No network is opened by it. */
  readonly operatorPolicy: EgressPolicy;
  /** For what tenants and models name. No network is opened by it, and the gateway itself is closed. */
  readonly tenantPolicy: EgressPolicy;
  /** Makes something once for each set of networks that workspaces have, with the tenants' policy and that set opened. */
  perNetworks<Made>(make: (policy: EgressPolicy) => Made): PerNetworks<Made>;
  onListening(address: AddressInfo): void;
  /** Says in the log which workspaces have networks that nobody opened for them. */
  reportShared(): Promise<void>;
  /** The same for a workspace that was just made. */
  onWorkspaceCreated(workspace: Pick<WorkspaceRow, "id" | "name">): void;
}

export function openEgress(
  config: CompleteConfig,
  parts: {
    readonly defaultWorkspaceId: string;
    readonly workspaces: Pick<WorkspaceStore, "find" | "list">;
    readonly logger: Logger;
  },
): EgressRooms {
  const { defaultWorkspaceId, workspaces, logger } = parts;
  const { allowCidrs, workspaceCidrs = {} } = config;
  const ownPlaces = createOwnPlaces({ publicUrl: config.publicUrl });
  // Executions go on before the gateway listens; a port that is configured is closed to them already.
  if (config.port !== 0) ownPlaces.add(config.host, config.port);
  const operatorPolicy: EgressPolicy = {
    denyCidrs: config.denyCidrs,
    ports: config.allowPorts,
    ca: config.ca,
    ...(config.lookup === undefined ? {} : { lookup: config.lookup }),
  };
  const tenantPolicy = { ...operatorPolicy, ownPlaces };
  const cidrsOf = createWorkspaceNetworks(config, defaultWorkspaceId);
  const isShared = areNetworksShared(config);

  function reportSharedBy(named: readonly Pick<WorkspaceRow, "id" | "name">[], hasMore: boolean): void {
    logger.error(
      { workspaces: named.map(({ id, name }) => ({ id, name })), hasMore, networks: allowCidrs },
      "YAGATE_ALLOW_CIDRS opens its networks to all workspaces, because YAGATE_WORKSPACE_CIDRS is not set; a later " +
        "version opens them to the workspace default alone. Set YAGATE_WORKSPACE_CIDRS to name the networks of each " +
        "other workspace, or to {} for none",
    );
  }

  async function reportUnknown(): Promise<void> {
    for (const workspaceId of Object.keys(workspaceCidrs)) {
      if ((await workspaces.find(workspaceId)) !== undefined) continue;
      logger.warn({ workspaceId }, "YAGATE_WORKSPACE_CIDRS names a workspace that does not exist");
    }
  }

  return {
    operatorPolicy,
    tenantPolicy,
    perNetworks: (make) => createPerNetworks(cidrsOf, (cidrs) => make({ ...tenantPolicy, allowCidrs: cidrs })),
    onListening: ({ address, port }) => ownPlaces.add(address, port),
    async reportShared() {
      await reportUnknown();
      if (!isShared) return;
      const { data, nextCursor } = await workspaces.list({ limit: MOST_NAMED + 1 });
      const others = data.filter(({ id }) => id !== defaultWorkspaceId);
      const hasMore = nextCursor !== null || others.length > MOST_NAMED;
      if (others.length > 0) reportSharedBy(others.slice(0, MOST_NAMED), hasMore);
    },
    onWorkspaceCreated(workspace) {
      if (isShared) reportSharedBy([workspace], false);
    },
  };
}
