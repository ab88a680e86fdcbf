import type { AddressInfo } from "node:net";
import { createOwnPlaces, type EgressPolicy } from "@yagate/egress";
import { createPerNetworks, type PerNetworks } from "@yagate/egress/internal";
import { defined } from "@yagate/lib/objects/defined";
import { createWorkspaceNetworks } from "../config/workspace-networks.ts";
import type { ComposedKeys } from "./compose-keys.ts";
import type { GatewayContext } from "./gateway-context.ts";

/** The egress policies of the gateway. */
export interface EgressPolicies {
  /**
   * The policy for URLs that the operator configured: those of model and search providers. It allowlists no private
   * network.
   */
  readonly operatorPolicy: EgressPolicy;
  /**
   * The policy for URLs that workspaces and models choose. It allowlists no private network and blocks the gateway's
   * own address.
   */
  readonly tenantPolicy: EgressPolicy;
  /** Creates one value per set of allowlisted networks, from the tenant policy extended by that set. */
  perNetworks<Made>(make: (policy: EgressPolicy) => Made): PerNetworks<Made>;
  onListening(address: AddressInfo): void;
}

export function composeEgress(
  { config }: GatewayContext,
  { defaultWorkspaceId }: Pick<ComposedKeys, "defaultWorkspaceId">,
): EgressPolicies {
  const ownPlaces = createOwnPlaces({ publicUrl: config.publicUrl });
  // Executions resume before the gateway listens, so a configured port is blocked from the start.
  if (config.port !== 0) ownPlaces.add(config.host, config.port);
  const { denyCidrs, allowPorts: ports, ca, lookup } = config;
  const operatorPolicy: EgressPolicy = { denyCidrs, ports, ca, ...defined({ lookup }) };
  const tenantPolicy = { ...operatorPolicy, ownPlaces };
  const cidrsOf = createWorkspaceNetworks(config, defaultWorkspaceId);
  return {
    operatorPolicy,
    tenantPolicy,
    perNetworks: (make) => createPerNetworks(cidrsOf, (cidrs) => make({ ...tenantPolicy, allowCidrs: cidrs })),
    onListening: ({ address, port }) => ownPlaces.add(address, port),
  };
}
