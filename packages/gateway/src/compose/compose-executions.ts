import { newCallId } from "@yagate/lib/ids/call-ids";
import { newFrameNonce, newId } from "@yagate/lib/ids/ids";
import { newOwner } from "@yagate/store/events/stored-form";
import type { Store } from "@yagate/store/port";
import { createCallbackReader } from "@yagate/webhooks/callbacks/callback-reader";
import { startRefusal } from "../agents/start-refusal.ts";
import { createAssertIntents } from "../capabilities/intents.ts";
import { createApprovalService } from "../executions/approvals/approval-service.ts";
import { createCallbackService } from "../executions/callbacks/callback-service.ts";
import { createInputRequestService } from "../executions/input-requests/input-request-service.ts";
import { createRedeliveryService } from "../executions/redelivery/redelivery-service.ts";
import { createReplayService } from "../executions/replay/replay-service.ts";
import { createStartRun } from "../executions/run/start-run.ts";
import { createCommands } from "../executions/service/commands.ts";
import { createExecutionService } from "../executions/service/execution-service.ts";
import { createPreviewRoute } from "../executions/service/route-preview.ts";
import { createTextDeltas } from "../executions/streams/text-deltas.ts";
import { createInProcessScheduler } from "../scheduler/in-process.ts";
import { createLease } from "../scheduler/lease.ts";
import { createHeaderRedaction } from "../tools/executors/static-headers.ts";
import type { ComposedKeys } from "./compose-keys.ts";
import type { ComposedModels } from "./compose-models.ts";
import type { ComposedSecrets } from "./compose-secrets.ts";
import type { ComposedTools } from "./compose-tools.ts";
import type { ComposedWebhooks } from "./compose-webhooks.ts";
import type { GatewayContext } from "./gateway-context.ts";

export type ComposedExecutions = ReturnType<typeof composeExecutions>;

/** Creates the scheduler that runs executions, and the services that start, read and command them. */
export function composeExecutions(
  { config, logger, telemetry, now, onError }: GatewayContext,
  parts: {
    readonly store: Store;
    readonly keys: Pick<ComposedKeys, "signingSecrets" | "callbackTokens">;
    readonly secrets: Pick<ComposedSecrets, "secrets">;
    readonly models: Pick<ComposedModels, "models">;
    readonly tools: Pick<ComposedTools, "loadAgent" | "argumentValidator" | "routingTables">;
    readonly webhooks: Pick<ComposedWebhooks, "endpoints" | "dispatcher">;
  },
) {
  const { store, keys } = parts;
  const { models } = parts.models;
  const { eventStore, isExclusive } = store;
  const { loadAgent } = parts.tools;
  const lease = createLease({
    owner: newOwner(),
    renew: (leaseUntil) => telemetry.aroundRenewal(() => eventStore.renew({ owner: lease.owner, leaseUntil })),
    ...{ onError, now, monotonicNow: () => performance.now() },
  });
  const deltas = createTextDeltas(store.textRelay);
  const { approvalExpiryMs, callbackExpiryMs, allowSelfApproval: isSelfApprovalAllowed } = config;
  const { isCircuitOpen } = parts.webhooks.endpoints;
  const assertIntents = createAssertIntents(parts.tools.routingTables.find);
  const startRun = createStartRun({
    ...{ eventStore, models, lease, deltas, loadAgent, approvalExpiryMs, callbackExpiryMs },
    ...{ now, random: Math.random, newId, newCallId, newFrameNonce, isCircuitOpen },
    onError: (error, executionId) => logger.error({ error, executionId }, "an execution had an unexpected error"),
    onUnreachable: (unreachable, executionId) =>
      logger.warn({ ...unreachable, executionId }, "a model provider could not be reached"),
  });
  const scheduler = createInProcessScheduler({
    ...{ eventStore, lease, startRun, isExclusive, now, onError },
    maxConcurrent: config.maxConcurrentExecutions,
    onDrained: () => store.stopAsking?.(),
  });
  const commands = createCommands({ eventStore, now });
  const newExecutionId = () => newId("execution");
  const outcomes = { eventStore, commands, loadAgent };
  const readOutcome = createCallbackReader({
    signingSecrets: keys.signingSecrets,
    redactionOf: createHeaderRedaction(parts.secrets.secrets),
  });
  const { dispatcher } = parts.webhooks;
  const development = new Set(config.developmentWorkspaces);
  const executions = createExecutionService({
    ...{ eventStore, scheduler, lease, deltas, commands, assertIntents, now, newExecutionId },
  });
  return {
    ...{ lease, scheduler, commands },
    previewRoute: createPreviewRoute({ loadAgent, isCircuitOpen, assertIntents }),
    executions,
    replays: createReplayService({
      ...{ ...outcomes, executions, agents: store.agents, now },
      startRefusal: (agent, request) => startRefusal(agent, request, models.isPriced),
    }),
    redeliveries: createRedeliveryService({
      ...{ eventStore, store: store.redeliveries, commands, loadAgent, newCallId, now, onError },
      redeliveryExecutorOf: (tool) => dispatcher.executorOf({ tool, isRedelivery: true }),
      hasSigningSecret: async (workspaceId, name) =>
        (await keys.signingSecrets.list(workspaceId)).some((secret) => secret.name === name),
      isDevelopment: async (workspaceId) => development.has((await store.workspaces.find(workspaceId))?.name ?? ""),
    }),
    approvals: createApprovalService({ ...outcomes, store: store.approvals, isSelfApprovalAllowed }),
    inputRequests: createInputRequestService({
      ...{ commands, store: store.inputRequests, argumentValidator: parts.tools.argumentValidator },
    }),
    callbacks: createCallbackService({ ...outcomes, readToken: keys.callbackTokens.read, readOutcome }),
  };
}
