import { isLoopbackHost } from "@yagate/lib/hosts/loopback-host";
import { newId } from "@yagate/lib/ids/ids";
import { MAX_SOURCE_TOOLS_PER_WORKSPACE } from "@yagate/protocol";
import type { Store } from "@yagate/store/port";
import { SCHEDULE } from "@yagate/store/tables/change-recorder";
import { openApiReader } from "@yagate/tool-definitions/openapi/import-openapi";
import type { ToolSourceReport } from "../config/development-config.ts";
import { createDescribeHandler } from "../tool-sources/describe-handler.ts";
import { createListMcpTools } from "../tool-sources/list-mcp-tools.ts";
import { createFetchDocument } from "../tool-sources/openapi/fetch-document.ts";
import { createReadOpenApi } from "../tool-sources/openapi/read-openapi.ts";
import { createReadSource } from "../tool-sources/read-source.ts";
import { createSettingsCheck } from "../tool-sources/settings-check.ts";
import { createSourceLogins } from "../tool-sources/source-logins.ts";
import { createSourceSync } from "../tool-sources/source-sync.ts";
import { createTestSource } from "../tool-sources/source-test.ts";
import { createSourceWatch } from "../tool-sources/source-watch.ts";
import { createSyncSchedule } from "../tool-sources/sync-schedule.ts";
import { createToolSources } from "../tool-sources/tool-source-service.ts";
import { createWithdrawnApprovals } from "../tool-sources/withdrawn-approvals.ts";
import { toolOfCall } from "../tools/toolset/tool-of-call.ts";
import { TOOL_SUBJECT } from "../workspace-tools/audit-subjects.ts";
import type { ComposedAgents } from "./compose-agents.ts";
import type { ComposedExecutions } from "./compose-executions.ts";
import type { ComposedKeys } from "./compose-keys.ts";
import type { ComposedOAuth } from "./compose-oauth.ts";
import type { ComposedSecrets } from "./compose-secrets.ts";
import type { ComposedTools } from "./compose-tools.ts";
import type { ComposedWebhooks } from "./compose-webhooks.ts";
import type { GatewayContext } from "./gateway-context.ts";

export type ComposedToolSources = ReturnType<typeof composeToolSources>;

/** Creates the tool sources: the sync of each kind, its schedule, and the service behind the routes. */
export function composeToolSources(
  { config, now, onError, telemetry }: Pick<GatewayContext, "config" | "now" | "onError" | "telemetry">,
  parts: {
    readonly store: Pick<Store, "toolSources" | "tools" | "approvals" | "eventStore">;
    readonly keys: Pick<ComposedKeys, "signingSecrets" | "recorderOf" | "defaultWorkspaceId">;
    readonly webhooks: Pick<ComposedWebhooks, "egressOf">;
    readonly oauth: Pick<ComposedOAuth, "signIns">;
    readonly agents: Pick<ComposedAgents, "checkOptionsOf">;
    readonly tools: Pick<ComposedTools, "loadAgent" | "onAdopted" | "mcp">;
    readonly executions: Pick<ComposedExecutions, "commands">;
    readonly secrets: Pick<ComposedSecrets, "secrets">;
  },
) {
  const { toolSources: store, tools, approvals, eventStore } = parts.store;
  const { checkOptionsOf } = parts.agents;
  const maxTools = MAX_SOURCE_TOOLS_PER_WORKSPACE;
  const handler = createDescribeHandler({
    ...{ egressOf: parts.webhooks.egressOf, signingSecrets: parts.keys.signingSecrets, now, newId },
  });
  const { onSynced } = telemetry.toolSources;
  const mcp = createListMcpTools(parts.tools.mcp.services);
  const { egressOf } = parts.webhooks;
  const fetchDocument = createFetchDocument({ egressOf, secrets: parts.secrets.secrets, now });
  const openapi = createReadOpenApi({ store, fetchDocument, reader: openApiReader });
  const readSource = createReadSource({ handler, mcp, openapi });
  // Asks a server for its revisions, and stores no verdict.
  const verdicts = { find: async () => undefined, note: async () => undefined };
  const mcpTest = createListMcpTools({ ...parts.tools.mcp.services, verdicts });
  const { development } = config;
  const onReport = (report: ToolSourceReport) => development?.onToolSource?.(report);
  const sync = createSourceSync({
    ...{ store, readSource, maxTools, now, random: Math.random, onSynced },
    ...(development === undefined ? {} : { onReport, acceptsEverything: true }),
  });
  const test = createTestSource({
    ...{ store, readSource: createReadSource({ handler, mcp: mcpTest, openapi }), now },
    acceptsEverything: development !== undefined,
  });
  const toolSources = createToolSources({
    ...{ store, tools, toolSubject: TOOL_SUBJECT, sync, test, maxTools, now, newSourceId: () => newId("toolSource") },
    onAdopted: parts.tools.onAdopted,
    ...(development === undefined ? {} : { onHandlerChange: "accept" as const }),
    assertSettings: createSettingsCheck({
      urlProblem: async (workspaceId, url) => (await checkOptionsOf(workspaceId)).handlerUrlProblem(url),
      hasSigningSecret: async (workspaceId, name) => (await checkOptionsOf(workspaceId)).hasSigningSecret(name),
      findSecret: async (workspaceId, name) => (await checkOptionsOf(workspaceId)).findSecret(name),
    }),
  });
  const withdrawnApprovals = createWithdrawnApprovals({
    ...{ store, approvals, now },
    async withdrawalOf({ workspaceId, executionId, details }) {
      const execution = await eventStore.find(executionId, workspaceId);
      if (execution === undefined) return undefined;
      const { toolset } = await parts.tools.loadAgent(execution);
      return toolOfCall(toolset, details.tool)?.withdrawal?.();
    },
    withdraw: async ({ id: approvalId, executionId }, failure) => {
      await parts.executions.commands.apply(executionId, { type: "withdraw", approvalId, failure });
    },
  });
  const syncSchedule = createSyncSchedule({
    ...{ store, sync, endWithdrawnCalls: withdrawnApprovals.look },
    ...{ recorder: parts.keys.recorderOf(SCHEDULE), now, onError },
  });
  const logins = createSourceLogins({ store, signIns: parts.oauth.signIns, sources: toolSources });
  const sourceWatch = createSourceWatch({
    ...{ store, describeHandler: handler, sync, recorder: parts.keys.recorderOf(SCHEDULE), now, onError, onReport },
    workspaceId: parts.keys.defaultWorkspaceId,
    isWatched: (url) => isLoopbackHost(new URL(url).hostname),
  });
  return { toolSources, logins, syncSchedule, ...(development === undefined ? {} : { sourceWatch }) };
}
