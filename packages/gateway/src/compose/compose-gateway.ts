import { setTimeout as sleep } from "node:timers/promises";
import { builtinTools } from "@yagate/builtins/builtin-tools";
import { createExtractiveSummarizer } from "@yagate/builtins/text-summarizer/extractive/extractive-summarizer";
import { createEgressGuard } from "@yagate/egress";
import { newFrameNonce, newId } from "@yagate/lib/ids/ids";
import type { Logger } from "@yagate/lib/logging/logger";
import { observeEventStore } from "@yagate/store/events/observed-event-store";
import { watchWrites } from "@yagate/store/events/write-health";
import type { Store } from "@yagate/store/port";
import { createArgumentValidator } from "@yagate/tool-definitions/arguments/argument-validator";
import { createAgentWriter } from "../agents/agent-writer.ts";
import { createPinTools } from "../agents/pinned-tools.ts";
import type { CompleteConfig } from "../config/gateway-config.ts";
import { createApprovalService } from "../executions/approvals/approval-service.ts";
import { createArtifactReader } from "../executions/artifacts/artifact-reader.ts";
import { createCallbackService } from "../executions/callbacks/callback-service.ts";
import { createLoadAgent } from "../executions/run/loaded-agents.ts";
import { createStartRun } from "../executions/run/start-run.ts";
import { createCommands } from "../executions/service/commands.ts";
import { createExecutionService } from "../executions/service/execution-service.ts";
import { createTextDeltas } from "../executions/streams/text-deltas.ts";
import { createCallbackAddress } from "../http/callback-address.ts";
import { createOpenApiDocument } from "../http/openapi/document.ts";
import { createGatewayReadiness } from "../http/readiness/readiness-checks.ts";
import type { Route } from "../http/route.ts";
import { agentRoutes } from "../http/routes/agents.ts";
import { apiKeyRoutes } from "../http/routes/api-keys.ts";
import { approvalRoutes } from "../http/routes/approvals.ts";
import { artifactRoutes } from "../http/routes/artifacts.ts";
import { auditRoutes } from "../http/routes/audit.ts";
import { callbackRoutes } from "../http/routes/callbacks.ts";
import { endpointRoutes } from "../http/routes/endpoints.ts";
import { executionTokenRoutes } from "../http/routes/execution-tokens.ts";
import { executionRoutes } from "../http/routes/executions.ts";
import { integrationRoutes } from "../http/routes/integrations.ts";
import { operationRoutes } from "../http/routes/operations.ts";
import { providerRoutes } from "../http/routes/providers.ts";
import { receiptRoutes } from "../http/routes/receipts.ts";
import { secretRoutes } from "../http/routes/secrets.ts";
import { signingSecretRoutes } from "../http/routes/signing-secrets.ts";
import { toolCallRoutes } from "../http/routes/tool-calls.ts";
import { workspaceRoutes } from "../http/routes/workspaces.ts";
import { packageVersion } from "../package-version.ts";
import { createPlanCatalog } from "../policy/plans/plan-catalog.ts";
import { createReceiptService } from "../receipts/receipt-service.ts";
import { createRecordKeys } from "../receipts/record-keys.ts";
import { createSealedEventStore } from "../receipts/sealed-event-store.ts";
import { createInProcessScheduler } from "../scheduler/in-process.ts";
import { createLease } from "../scheduler/lease.ts";
import { createProviderCredentials } from "../secrets/provider-credentials.ts";
import { createWorkspaceSecrets } from "../secrets/workspace-secrets.ts";
import { createExecutionLog } from "../telemetry/execution-log.ts";
import type { Telemetry } from "../telemetry/gateway-telemetry.ts";
import { createLogger } from "../telemetry/logger.ts";
import { checkAgentTools, type ModelCheck } from "../tools/checks/check-agent-tools.ts";
import { createHandlerUrlCheck } from "../tools/checks/handler-url-check.ts";
import { createHeaderRedaction } from "../tools/executors/static-headers.ts";
import { createIntegrations } from "../tools/integrations/integrations.ts";
import { createNetworkLimits } from "../tools/integrations/network-limits.ts";
import { createToolsets } from "../tools/toolset/toolset.ts";
import { createCallbackReader } from "../webhooks/callbacks/callback-reader.ts";
import { createCallbackTickets } from "../webhooks/callbacks/callback-tickets.ts";
import { createDispatcher } from "../webhooks/dispatcher.ts";
import { createEndpointRegistry } from "../webhooks/endpoints/endpoint-registry.ts";
import { createSavedReferences } from "../workspace-tools/saved-references.ts";
import type { ToolCheckOptions } from "../workspace-tools/tool-check.ts";
import { startBackground } from "./compose-background.ts";
import { openEgress } from "./compose-egress.ts";
import { openKeys } from "./compose-keys.ts";
import { openModels } from "./compose-models.ts";
import { openQuotas } from "./compose-quotas.ts";
import { reportUnboundKeys } from "./compose-secrets.ts";
import { openBoundedStore } from "./compose-store.ts";
import { openNetwork } from "./compose-tools.ts";
import { openWeb } from "./compose-builtins.ts";
import { workspaceToolRoutes } from "./compose-workspace-tools.ts";
import type { ComposedGateway } from "./composed-gateway.ts";
import { openTelemetry } from "./gateway-context.ts";
import { openOwnStore } from "./open-own-store.ts";

/**
 * Where other replicas change keys, secrets and endpoints: how long what was read of them is believed. Twice that, and
 * the streams of a deleted key have ended.
 */
const SHARED_MAX_AGE_MS = 1_000;
/** How long a stop waits for what is done in the background: a batch of old rows, the spans of an execution. */
const BACKGROUND_END_MS = 1_000;

/**
 * Opens the store and wires the modules; the API can then be called in this process.
 *
 * @param open - opens another store than the configuration says.
 */
export async function composeGateway(
  config: CompleteConfig,
  open: (config: CompleteConfig, logger: Logger, telemetry: Telemetry) => Promise<Store> = openOwnStore,
): Promise<ComposedGateway> {
  const logger = createLogger(config.logLevel);
  const telemetry = openTelemetry(config, logger);
  const store = await open(config, logger, telemetry);
  try {
    return await wire(config, store, logger, telemetry);
  } catch (error) {
    await store.close();
    throw error;
  }
}

async function wire(
  config: CompleteConfig,
  opened: Store,
  logger: Logger,
  telemetry: Telemetry,
): Promise<ComposedGateway> {
  const now = Date.now;
  const onError = (error: unknown) => logger.error({ error }, "failed in the background");
  const quotasOf = async (workspaceId: string) => (await workspacePlans.find(workspaceId)).figures;
  const { store, storedBytes } = openBoundedStore(opened, { quotasOf, logger, telemetry, now, onError });

  const age = store.isExclusive ? {} : { maxAgeMs: SHARED_MAX_AGE_MS };
  const keys = await openKeys(config, store, { now, age });
  const { keyring, sealer, signingSecrets, workspaces, workspace, apiKeys, tokens, callbackTokens, authenticate } =
    keys;
  const callbackAddress = createCallbackAddress({ host: config.host, publicUrl: config.publicUrl, now });
  const tickets = createCallbackTickets({ tokens: callbackTokens, baseUrl: callbackAddress.base });

  const ways = openEgress(config, { defaultWorkspaceId: workspace.id, workspaces: store.workspaces, logger });
  // Handlers: hosts that a person wrote down, so the networks of their workspace are open to them.
  const handlerGuards = ways.perNetworks(createEgressGuard);
  const limits = { concurrency: config.endpointConcurrency, queue: config.endpointQueue };
  const endpoints = createEndpointRegistry({ store: store.endpoints, now, newId, limits, onError });
  await endpoints.load();
  const dispatcher = createDispatcher({
    egressOf: handlerGuards.of,
    signingSecrets,
    callbacks: tickets,
    endpoints,
    now,
    isTraceRecorded: telemetry.isTracing,
    onError: (error, call) => logger.error({ error, ...call }, "failed in a call"),
  });
  const workspaceSecrets = createWorkspaceSecrets({ store: store.workspaceSecrets, sealer, now });
  const providerCredentials = createProviderCredentials({
    store: store.workspaceProviders,
    secrets: workspaceSecrets,
    now,
  });
  await reportUnboundKeys(store.workspaceProviders, { isStrict: config.strictSecretHosts, logger });
  const modelLayer = openModels(config, { ways, providerCredentials, now });
  const { models } = modelLayer;
  const integrations = createIntegrations({ store: store.integrations, now, ...age });
  const plans = createPlanCatalog(config.plans);
  const { limits: networkLimits, workspacePlans } = createNetworkLimits({ store, plans, integrations, now, ...age });
  const operatorWorkspaceId = workspace.id;
  const quotas = openQuotas({ store, storedBytes: storedBytes.known, plans: workspacePlans, operatorWorkspaceId });
  const artifacts = createArtifactReader(store.eventStore);
  const extractor = createExtractiveSummarizer();
  const web = await openWeb({ config, ways, now, logger });
  const builtins = builtinTools({ artifacts, extractor, configured: web.tools });
  const argumentValidator = createArgumentValidator();
  const network = openNetwork(config, {
    ways,
    secrets: workspaceSecrets,
    limits: networkLimits,
    integrations,
    now,
    logger,
  });
  const resolveReferences = createSavedReferences({ tools: store.tools });
  const toolsetOptions = {
    ...{ dispatcher, builtins, argumentValidator, now, onError, resolveReferences },
    network: network.services,
  };
  const toolsets = createToolsets(toolsetOptions);

  const { records } = store;
  const recordKeys = createRecordKeys(keyring);
  const sealed = createSealedEventStore({
    eventStore: store.eventStore,
    records,
    agents: store.agents,
    keys: recordKeys,
  });
  const writes = watchWrites(sealed, () => performance.now());
  const tracing = telemetry.traceExecutions({
    eventStore: store.eventStore,
    serverOf: models.serverOf,
    agentNameOf: async (agentId, version) => (await store.agents.findVersion(agentId, version))?.agent.name,
  });
  const eventStore = observeEventStore(writes.eventStore, [
    telemetry.executions,
    telemetry.eventStore,
    tracing,
    createExecutionLog(logger),
  ]);
  const receipts = createReceiptService({
    eventStore,
    records,
    agents: store.agents,
    workspaces: store.workspaces,
    keys: recordKeys,
  });
  const lease = createLease({
    owner: newId("attempt"),
    renew: (leaseUntil) => telemetry.aroundRenewal(() => eventStore.renew({ owner: lease.owner, leaseUntil })),
    onError,
    now,
    monotonicNow: () => performance.now(),
  });
  const deltas = createTextDeltas(store.textRelay);
  const loadAgent = createLoadAgent({ agents: store.agents, toolsets });
  const { approvalExpiryMs, callbackExpiryMs, allowSelfApproval: isSelfApprovalAllowed } = config;
  const startRun = createStartRun({
    eventStore,
    models,
    lease,
    deltas,
    now,
    random: Math.random,
    newId,
    newFrameNonce,
    loadAgent,
    approvalExpiryMs,
    callbackExpiryMs,
    onError: (error, executionId) => logger.error({ error, executionId }, "failed in an execution"),
    onUnreachable: (unreachable, executionId) =>
      logger.warn({ ...unreachable, executionId }, "a model provider could not be reached"),
  });
  const { maxConcurrentExecutions: maxConcurrent, drainMs } = config;
  const scheduler = createInProcessScheduler({
    eventStore,
    lease,
    startRun,
    maxConcurrent,
    isExclusive: store.isExclusive,
    now,
    onError,
    onDrained: () => store.stopAsking?.(),
  });
  const newExecutionId = () => newId("execution");
  const commands = createCommands({ eventStore, now });
  const executions = createExecutionService({ eventStore, scheduler, lease, deltas, commands, now, newExecutionId });
  const outcomes = { eventStore, commands, loadAgent };
  const approvals = createApprovalService({ ...outcomes, store: store.approvals, isSelfApprovalAllowed });
  const readOutcome = createCallbackReader({ signingSecrets, redactionOf: createHeaderRedaction(workspaceSecrets) });
  const callbacks = createCallbackService({ readToken: callbackTokens.read, readOutcome, ...outcomes });

  const handlerUrlChecks = ways.perNetworks(createHandlerUrlCheck);
  // An integration names its own ports.
  const integrationUrlChecks = ways.perNetworks((policy) => createHandlerUrlCheck({ ...policy, ports: "any" }));
  const { isReachable: canBeCalledBack } = callbackAddress;
  async function checkOptionsOf(workspaceId: string): Promise<ToolCheckOptions> {
    const names = new Set((await signingSecrets.list(workspaceId)).map(({ name }) => name));
    const hasSigningSecret = async (name: string) => names.has(name);
    return {
      builtins,
      argumentValidator,
      handlerUrlProblem: handlerUrlChecks.of(workspaceId),
      canBeCalledBack,
      hasSigningSecret,
      describeSecrets: (names) => workspaceSecrets.describe(workspaceId, names),
      hasIntegration: async (name) => (await integrations.enabled(workspaceId, [name])).length > 0,
      findSecret: async (name) => (await workspaceSecrets.describe(workspaceId, [name])).get(name),
    };
  }
  const agentWriter = createAgentWriter({
    agents: store.agents,
    now,
    newAgentId: () => newId("agent"),
    pin: createPinTools(store.tools),
    isPriced: models.isPriced,
    async check(workspaceId, agent, before) {
      const ofWorkspace = await providerCredentials.baseUrls(workspaceId);
      const check: ModelCheck["check"] = (model, tools) => models.check(model, tools, ofWorkspace);
      const options = { ...(await checkOptionsOf(workspaceId)), models: { check }, resolveReferences, before };
      return checkAgentTools(agent, options);
    },
  });

  const administered = { workspaces: store.workspaces, operatorWorkspaceId };
  const apiRoutes = [
    ...agentRoutes({ agents: store.agents, writer: agentWriter, now }),
    ...executionRoutes({
      executions,
      agents: store.agents,
      isPriced: models.isPriced,
      now,
      traceRequest: telemetry.traceRequest,
      onStreamOpened: telemetry.http.onStreamOpened,
      streamAdmission: quotas.streamAdmission,
    }),
    ...executionTokenRoutes({ executions, tokens, audit: store.audit }),
    ...toolCallRoutes(executions),
    ...artifactRoutes(artifacts),
    ...receiptRoutes({
      receipts,
      onUnverified(executionId, difference) {
        telemetry.receipts.onUnverified();
        logger.warn({ executionId, ...difference }, "a receipt is not verified: the record is not as it was sealed");
      },
    }),
    ...approvalRoutes(approvals),
    ...callbackRoutes(callbacks),
    ...signingSecretRoutes(signingSecrets),
    ...secretRoutes(workspaceSecrets),
    ...providerRoutes({
      providers: providerCredentials,
      check: modelLayer.checkProvider,
      hostsOf: async (workspaceId, name) => (await workspaceSecrets.describe(workspaceId, [name])).get(name)?.hosts,
    }),
    ...endpointRoutes(endpoints),
    ...workspaceToolRoutes({
      store,
      soleToolsets: createToolsets({ ...toolsetOptions, cacheSize: 0 }),
      ...{ loadAgent, checkOptionsOf, argumentValidator, now, newId },
    }),
    ...integrationRoutes({ integrations, planNames: plans.names, urlCheckOf: integrationUrlChecks.of }),
    ...quotas.routes,
    ...workspaceRoutes({
      store: store.workspaces,
      workspaces,
      onWorkspaceCreated: ways.onWorkspaceCreated,
      plans: workspacePlans,
      operatorWorkspaceId,
    }),
    ...apiKeyRoutes({ apiKeys, ...administered, now }),
    ...auditRoutes({ audit: store.audit, ...administered }),
  ];
  const readiness = createGatewayReadiness({ store, writes, sealer, lease, config });
  let openApiDocument: string | undefined;
  const routes: readonly Route[] = [
    ...apiRoutes,
    ...operationRoutes({
      readiness,
      metrics: telemetry.expose,
      operatorWorkspaceId,
      openApiDocument: () => {
        openApiDocument ??= JSON.stringify(createOpenApiDocument(routes, packageVersion()));
        return openApiDocument;
      },
    }),
  ];

  await ways.reportShared();
  telemetry.watch({ executions: scheduler.counts, endpoints: endpoints.totals, ping: store.ping });
  await scheduler.start();
  const shared = { config, store, eventStore, keys, lease, logger, now, onError };
  const background = startBackground({ ...shared, endpoints, storedBytes, ...age });
  return {
    store: { ...store, eventStore },
    executions,
    approvals,
    agentWriter,
    routes,
    authenticate,
    admitRequest: quotas.admitRequest,
    recorderOf: keys.recorderOf,
    onKeyDeleted: apiKeys.onDeleted,
    keyRecheck: { everyMs: SHARED_MAX_AGE_MS, authenticate },
    defaultWorkspaceId: workspace.id,
    logger,
    telemetry,
    activeCount: () => scheduler.activeCount,
    revealSigningSecret: () => signingSecrets.reveal(workspace.id),
    drain: () => readiness.drain(),
    onListening(url, address) {
      ways.onListening(address);
      callbackAddress.listening(url);
    },
    async close() {
      const stopped = background.stop();
      await scheduler.stop(drainMs);
      // A database that does not answer must not hold up the end.
      await Promise.race([
        Promise.all([stopped, tracing.settled()]),
        sleep(BACKGROUND_END_MS, undefined, { ref: false }),
      ]);
      const own = [...handlerGuards.made(), network, modelLayer, web, extractor];
      await Promise.all(own.map((one) => one.close()));
      await store.close();
    },
  };
}
