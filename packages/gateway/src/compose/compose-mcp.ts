import { createJsonValidator } from "@yagate/builtins/json-validator/json-validator-tool";
import { createEgressGuard, type EgressGuard } from "@yagate/egress";
import { MAX_TOOL_TIMEOUT_MS } from "@yagate/protocol";
import type { Store } from "@yagate/store/port";
import { createOpenEndpoint } from "../mcp-calls/endpoint.ts";
import { createEraVerdicts } from "../mcp-calls/era-verdicts.ts";
import { createOutputProblem } from "../mcp-calls/output-problem.ts";
import type { McpServices } from "../mcp-calls/port.ts";
import type { EgressPolicies } from "./compose-egress.ts";
import type { ComposedOAuth } from "./compose-oauth.ts";
import type { ComposedPlans } from "./compose-plans.ts";
import type { ComposedSecrets } from "./compose-secrets.ts";
import type { GatewayContext } from "./gateway-context.ts";

/**
 * Maximum time in ms to check a structured result against its output schema. The call has run by then, so a busy machine
 * must not be a reason to reject a valid result.
 */
const OUTPUT_CHECK_MS = 30_000;

/** Creates the services for listing and calling tools of MCP servers. They share no connections with other calls. */
export function composeMcp(
  { telemetry, now }: GatewayContext,
  parts: {
    readonly store: Pick<Store, "toolSources">;
    readonly egress: Pick<EgressPolicies, "perNetworks">;
    readonly plans: Pick<ComposedPlans, "networkLimits">;
    readonly secrets: Pick<ComposedSecrets, "secrets">;
    readonly oauth: Pick<ComposedOAuth, "accessTokens">;
  },
): { readonly services: McpServices; close(): Promise<unknown> } {
  const { store, egress, plans } = parts;
  // A server may respond with nothing but the result, so the time limit of a call must end first.
  const limits = { fetchIdleMs: MAX_TOOL_TIMEOUT_MS };
  const guards = egress.perNetworks((policy): EgressGuard => createEgressGuard({ ...policy, limits }));
  // Threads of its own, so that a hostile schema cannot keep the tool json_validator waiting.
  const outputs = createJsonValidator({ timeoutMs: OUTPUT_CHECK_MS });
  return {
    services: {
      openEndpoint: createOpenEndpoint({
        fetchOf: (workspaceId) => guards.of(workspaceId).fetchIn(workspaceId),
        ...{ secrets: parts.secrets.secrets, accessTokens: parts.oauth.accessTokens, now },
      }),
      verdicts: createEraVerdicts({ store: store.toolSources, now }),
      limits: plans.networkLimits,
      outputProblem: createOutputProblem(outputs.tool, now),
      isTraceRecorded: telemetry.isTracing,
      now,
    },
    close: () => Promise.all([outputs.close(), ...guards.made().map((guard) => guard.close())]),
  };
}
