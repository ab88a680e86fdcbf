import { createEgressGuard, createOpenedHosts } from "@yagate/egress";
import type { Logger } from "@yagate/lib/logging/logger";
import type { CompleteConfig } from "../config/gateway-config.ts";
import type { NetworkLimits } from "../policy/rate-limits/call-limits.ts";
import type { WorkspaceSecrets } from "../secrets/workspace-secrets.ts";
import type { NetworkServices } from "../tools/http/services.ts";
import type { Integrations } from "../tools/integrations/integrations.ts";
import type { EgressRooms } from "./compose-egress.ts";

/** What requests of tools need, and the ways out that they have for themselves: no connection is shared with signed calls. */
export function openNetwork(
  { allowPorts }: Pick<CompleteConfig, "allowPorts">,
  parts: {
    readonly ways: Pick<EgressRooms, "perNetworks">;
    readonly secrets: WorkspaceSecrets;
    readonly limits: NetworkLimits;
    readonly integrations: Integrations;
    readonly now: () => number;
    readonly logger: Logger;
  },
): { readonly services: NetworkServices; close(): Promise<void> } {
  const { ways, secrets, limits, integrations, now, logger } = parts;
  // All of these hosts were written down by persons, so the networks of their workspace are open to them.
  const perNetworks = ways.perNetworks((policy) => ({
    approved: createEgressGuard({ ...policy, ports: "any" }),
    written: createEgressGuard(policy),
    hasOpenedNetworks: (policy.allowCidrs ?? []).length > 0,
    isOpened: createOpenedHosts(policy),
  }));
  return {
    services: {
      egressOf: perNetworks.of,
      secrets,
      limits,
      integrations,
      ports: allowPorts,
      now,
      onError: (error, { executionId, toolCallId }) =>
        logger.error({ error, executionId, toolCallId }, "failed in a call"),
    },
    async close() {
      await Promise.all(perNetworks.made().flatMap(({ approved, written }) => [approved.close(), written.close()]));
    },
  };
}
