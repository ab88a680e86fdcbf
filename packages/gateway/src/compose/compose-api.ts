import type { Store } from "@yagate/store/port";
import { createGatewayReadiness } from "../http/readiness/readiness-checks.ts";
import type { Route } from "../http/route.ts";
import { agentRoutes } from "../http/routes/agents.ts";
import { endpointRoutes } from "../http/routes/endpoints.ts";
import { integrationRoutes } from "../http/routes/integrations.ts";
import { oauthRoutes } from "../http/routes/oauth.ts";
import { operationRoutes } from "../http/routes/operations.ts";
import { providerRoutes } from "../http/routes/providers.ts";
import { routingRoutes } from "../http/routes/routing.ts";
import { secretRoutes } from "../http/routes/secrets.ts";
import { signingSecretRoutes } from "../http/routes/signing-secrets.ts";
import { toolSourceRoutes } from "../http/routes/tool-sources.ts";
import { packageVersion } from "../package-version.ts";
import { type AdministrationParts, administrationApi } from "./administration-api.ts";
import type { ComposedAgents } from "./compose-agents.ts";
import type { ComposedConsole } from "./compose-console.ts";
import type { ComposedModels } from "./compose-models.ts";
import type { ComposedOAuth } from "./compose-oauth.ts";
import type { ComposedRouting } from "./compose-routing.ts";
import type { ComposedSecrets } from "./compose-secrets.ts";
import type { ComposedStore } from "./compose-store.ts";
import type { ComposedToolSources } from "./compose-tool-sources.ts";
import type { ComposedTools } from "./compose-tools.ts";
import type { ComposedWebhooks } from "./compose-webhooks.ts";
import { type ExecutionApiParts, executionApi } from "./execution-api.ts";
import type { GatewayContext } from "./gateway-context.ts";
import { type McpApiParts, mcpApi } from "./mcp-api.ts";
import { workspaceToolsApi } from "./workspace-tools-api.ts";

/** Creates all routes of the gateway, and the readiness that `/readyz` reports. */
export function composeApi(
  context: GatewayContext,
  parts: {
    readonly store: Store;
    readonly writes: ComposedStore["writes"];
    readonly secrets: ComposedSecrets;
    readonly webhooks: Pick<ComposedWebhooks, "endpoints">;
    readonly models: ComposedModels;
    readonly tools: ComposedTools;
    readonly agents: ComposedAgents;
    readonly routing: ComposedRouting;
    readonly sources: ComposedToolSources;
    readonly oauth: Pick<ComposedOAuth, "signIns">;
    readonly console: Pick<NonNullable<ComposedConsole>, "routes" | "approvalPages"> | undefined;
  } & AdministrationParts &
    ExecutionApiParts &
    McpApiParts,
) {
  const { config, telemetry, now } = context;
  const { store, writes, keys, secrets, webhooks, models, agents } = parts;
  const { integrations, planNames } = parts.plans;
  const { lease } = parts.executions;
  const apiRoutes = [
    ...agentRoutes({
      ...{ agents: store.agents, writer: agents.agentWriter, now },
      previewRoute: parts.executions.previewRoute,
    }),
    ...executionApi(context, parts),
    ...signingSecretRoutes(keys.signingSecrets),
    ...secretRoutes(secrets.secrets),
    ...providerRoutes({ providers: secrets.providers, check: models.checkProvider, hostsOf: secrets.hostsOf }),
    ...endpointRoutes(webhooks.endpoints),
    ...workspaceToolsApi(context, parts),
    ...routingRoutes(parts.routing.capabilities, parts.routing.intents),
    ...toolSourceRoutes(parts.sources.toolSources, parts.sources.logins),
    ...integrationRoutes({ integrations, planNames, urlCheckOf: agents.integrationUrlCheckOf }),
    ...administrationApi(context, parts),
  ];
  const readiness = createGatewayReadiness({ store, writes, sealer: keys.sealer, lease, config });
  let openApiDocument: Promise<string> | undefined;
  const routes: readonly Route[] = [
    ...apiRoutes,
    ...mcpApi(context, parts),
    ...oauthRoutes(parts.oauth.signIns),
    ...(parts.console?.routes ?? []),
    ...operationRoutes({
      readiness,
      metrics: telemetry.expose,
      operatorWorkspaceId: keys.defaultWorkspaceId,
      openApiDocument: () => {
        openApiDocument ??= writeOpenApiDocument(routes);
        return openApiDocument;
      },
    }),
  ];
  return { routes, readiness };
}

async function writeOpenApiDocument(routes: readonly Route[]): Promise<string> {
  const { createOpenApiDocument } = await import("../http/openapi/document.ts");
  return JSON.stringify(createOpenApiDocument(routes, packageVersion()));
}
