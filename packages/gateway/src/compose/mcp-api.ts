import { defined } from "@yagate/lib/objects/defined";
import { createMcpServer } from "@yagate/mcp/server/mcp-server";
import type { Store } from "@yagate/store/port";
import { mcpUrlOf } from "../config/mcp-issuers.ts";
import { createAgentTools } from "../exposed-agents/agent-tools.ts";
import type { Route } from "../http/route.ts";
import { mcpRoutes } from "../http/routes/mcp.ts";
import type { TokenAccess } from "../mcp-access/token-access.ts";
import { packageVersion } from "../package-version.ts";
import type { ComposedConsole } from "./compose-console.ts";
import type { ComposedExecutions } from "./compose-executions.ts";
import type { ComposedModels } from "./compose-models.ts";
import type { ComposedQuotas } from "./compose-quotas.ts";
import type { GatewayContext } from "./gateway-context.ts";

export interface McpApiParts {
  readonly store: Pick<Store, "agents" | "exposedAgents">;
  readonly models: Pick<ComposedModels, "models">;
  readonly executions: Pick<ComposedExecutions, "executions">;
  readonly quotas: Pick<ComposedQuotas, "admitRequest">;
  readonly tokenAccess: TokenAccess;
  readonly console: Pick<NonNullable<ComposedConsole>, "approvalPages"> | undefined;
}

/** Creates the route with which MCP hosts execute agents. */
export function mcpApi(
  { config, telemetry, logger }: GatewayContext,
  { store, models, executions, quotas, tokenAccess, console }: McpApiParts,
): readonly Route[] {
  const { corsOrigins = [], publicUrl, mcpIssuers } = config;
  const server = createMcpServer({
    name: "yagate",
    title: "Yagate",
    version: packageVersion(),
    instructions:
      "Each tool is an agent: state the complete task in its input, because it does not see this conversation.",
    onError: (error) => logger.debug({ error }, "a message of the Model Context Protocol was rejected"),
  });
  const toolsOf = createAgentTools({
    ...{ exposedAgents: store.exposedAgents, agents: store.agents, executions: executions.executions },
    isPriced: models.models.isPriced,
    onError: (error) => logger.error({ error }, "a call of an exposed agent had an unexpected error"),
    ...defined({ approvalPages: console?.approvalPages }),
  });
  return mcpRoutes({
    ...{ server, toolsOf, admitRequest: quotas.admitRequest, traceRequest: telemetry.traceRequest },
    origins: publicUrl === undefined ? corsOrigins : [...corsOrigins, new URL(publicUrl).origin],
    ...(publicUrl === undefined || mcpIssuers.length === 0
      ? {}
      : {
          accessTokens: {
            authenticate: tokenAccess.authenticate,
            url: mcpUrlOf(publicUrl),
            issuers: mcpIssuers.map(({ issuer }) => issuer),
          },
        }),
  });
}
