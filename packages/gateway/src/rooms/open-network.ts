import type { CompleteConfig } from "../config/gateway-config.ts";
import { createEgressGuard } from "../egress/guard.ts";
import { createOpenedHosts, type EgressPolicy } from "../egress/index.ts";
import type { NetworkLimits } from "../policy/rate-limits/call-limits.ts";
import type { WorkspaceSecrets } from "../secrets/workspace-secrets.ts";
import type { Logger } from "../telemetry/logger.ts";
import type { NetworkServices } from "../tools/http/services.ts";
import type { Integrations } from "../tools/integrations/integrations.ts";

/** What requests of tools need, and the ways out that they have for themselves: no connection is shared with signed calls. */
export function openNetwork(
  { allowPorts, allowCidrs }: Pick<CompleteConfig, "allowPorts" | "allowCidrs">,
  parts: {
    readonly egressPolicy: EgressPolicy;
    readonly secrets: WorkspaceSecrets;
    readonly limits: NetworkLimits;
    readonly integrations: Integrations;
    readonly now: () => number;
    readonly logger: Logger;
  },
): { readonly services: NetworkServices; close(): Promise<void> } {
  const { egressPolicy, secrets, limits, integrations, now, logger } = parts;
  // All of these hosts were written down by persons, so what the operator opened is open to them.
  const approved = createEgressGuard({ ...egressPolicy, ports: "any" });
  const written = createEgressGuard(egressPolicy);
  return {
    services: {
      egress: { approved, written },
      secrets,
      limits,
      integrations,
      ports: allowPorts,
      hasOpenedNetworks: allowCidrs.length > 0,
      isOpened: createOpenedHosts(egressPolicy),
      now,
      onError: (error, { executionId, toolCallId }) =>
        logger.error({ error, executionId, toolCallId }, "failed in a call"),
    },
    async close() {
      await Promise.all([approved.close(), written.close()]);
    },
  };
}
