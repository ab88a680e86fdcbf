import { setTimeout as sleep } from "node:timers/promises";
import type { CompleteConfig } from "./config/gateway-config.ts";
import { createCallbackReader } from "./dispatch/callback-reader.ts";
import { createCallbackTickets } from "./dispatch/callback-tickets.ts";
import { createDispatcher } from "./dispatch/dispatcher.ts";
import { createEndpointRegistry } from "./dispatch/endpoint-registry.ts";
import { createEgressGuard } from "./egress/guard.ts";
import { type ApprovalService, createApprovalService } from "./execution/approvals/approval-service.ts";
import { createCallbackService } from "./execution/callbacks/callback-service.ts";
import { createCommands } from "./execution/commands.ts";
import { createLoadAgent } from "./execution/loaded-agents.ts";
import { createExecutionService, type ExecutionService } from "./execution/service.ts";
import { createStartRun } from "./execution/start-run.ts";
import { createTextDeltas } from "./execution/text-deltas.ts";
import { type AgentWriter, createAgentWriter } from "./http/agents/agent-writer.ts";
import { createCallbackAddress } from "./http/callback-address.ts";
import { createOpenApiDocument } from "./http/openapi.ts";
import { createGatewayReadiness } from "./http/readiness-checks.ts";
import type { KeyRecheck } from "./http/recheck-keys.ts";
import type { Route } from "./http/route.ts";
import { agentRoutes } from "./http/routes/agents.ts";
import { approvalRoutes } from "./http/routes/approvals.ts";
import { callbackRoutes } from "./http/routes/callbacks.ts";
import { endpointRoutes } from "./http/routes/endpoints.ts";
import { executionTokenRoutes } from "./http/routes/execution-tokens.ts";
import { executionRoutes } from "./http/routes/executions.ts";
import { integrationRoutes } from "./http/routes/integrations.ts";
import { operationRoutes } from "./http/routes/operations.ts";
import { providerRoutes } from "./http/routes/providers.ts";
import { receiptRoutes } from "./http/routes/receipts.ts";
import { secretRoutes } from "./http/routes/secrets.ts";
import { signingSecretRoutes } from "./http/routes/signing-secrets.ts";
import { toolCallRoutes } from "./http/routes/tool-calls.ts";
import { workspaceRoutes } from "./http/routes/workspaces.ts";
import { newId } from "./ids.ts";
import { observeJournal } from "./journal/observed-journal.ts";
import { openStore } from "./journal/open-store.ts";
import type { Store } from "./journal/port.ts";
import { DAY_MS } from "./journal/retention.ts";
import { createRetention } from "./journal/retention-pass.ts";
import { watchWrites } from "./journal/write-health.ts";
import { createModels } from "./models/create-models.ts";
import { parseModelName } from "./models/model-name.ts";
import { loadPrices } from "./models/prices/load-prices.ts";
import { PROVIDER_NAMES } from "./models/provider-names.ts";
import { providerNetworks } from "./models/provider-networks.ts";
import { createProviderCheck } from "./models/provider-url-check.ts";
import { packageVersion } from "./package-version.ts";
import { createPlanBook } from "./policy/plans/plan-book.ts";
import { createReceiptService } from "./receipts/receipt-service.ts";
import { createRecordKeys } from "./receipts/record-keys.ts";
import { createSealedJournal } from "./receipts/sealed-journal.ts";
import { createInProcessScheduler } from "./scheduler/in-process.ts";
import { createLease, LEASE_MS } from "./scheduler/lease.ts";
import { type ApiKeys, createApiKeys } from "./secrets/api-keys.ts";
import { createCallbackTokens } from "./secrets/callback-tokens.ts";
import { assertMasterKeys, isStoreSealed } from "./secrets/canary.ts";
import { createExecutionTokens, isExecutionToken } from "./secrets/execution-tokens.ts";
import { loadOrCreateKeyFile } from "./secrets/key-file.ts";
import { parseMasterKeys } from "./secrets/keyring.ts";
import { createProviderCredentials } from "./secrets/provider-credentials.ts";
import { createSealer } from "./secrets/seal.ts";
import { createSigningSecrets } from "./secrets/signing-secrets.ts";
import { createWorkspaceSecrets } from "./secrets/workspace-secrets.ts";
import { createWorkspaces } from "./secrets/workspaces.ts";
import { createExecutionLog } from "./telemetry/execution-log.ts";
import { createTelemetry, type Telemetry } from "./telemetry/gateway-telemetry.ts";
import { createLogger, type Logger } from "./telemetry/logger.ts";
import { createArgumentValidator } from "./tools/arguments/argument-validator.ts";
import { builtinTools } from "./tools/builtin/builtin-tools.ts";
import { checkAgentTools, type ModelCheck } from "./tools/check-agent-tools.ts";
import { createHandlerUrlCheck } from "./tools/handler-url-check.ts";
import type { NetworkServices } from "./tools/http/services.ts";
import { createIntegrations } from "./tools/integrations/integrations.ts";
import { createNetworkLimits } from "./tools/integrations/network-limits.ts";
import { createToolsets } from "./tools/toolset.ts";

/**
 * Where other replicas change keys, secrets and endpoints: how long what was read of them is believed. Twice that, and
 * the streams of a deleted key have ended.
 */
const SHARED_MAX_AGE_MS = 1_000;
/** How long a stop waits for what is done in the background: a batch of old rows, the spans of an execution. */
const BACKGROUND_END_MS = 1_000;

/** Everything behind the API, wired. */
export interface Rooms {
  readonly store: Store;
  readonly executions: ExecutionService;
  readonly approvals: ApprovalService;
  readonly agentWriter: AgentWriter;
  readonly routes: readonly Route[];
  readonly authenticate: ApiKeys["authenticate"];
  readonly onKeyDeleted: ApiKeys["onDeleted"];
  /** Undefined where no other process can delete keys. */
  readonly keyRecheck: KeyRecheck | undefined;
  readonly defaultWorkspaceId: string;
  readonly logger: Logger;
  readonly telemetry: Telemetry;
  /** How many executions this process holds in memory: those that run, and those whose wait is short. */
  activeCount(): number;
  revealSigningSecret(): Promise<string>;
  /** From now on `/readyz` says that this gateway takes no work, which it goes on taking until it is closed. */
  drain(): void;
  /** Tells handlers where results may be brought that come later, unless an operator has said so. */
  onListening(url: string): void;
  close(): Promise<void>;
}

/**
 * Opens the store and wires the rooms; the API can then be called in this process.
 *
 * @param open - opens another store than the configuration says.
 */
export async function openRooms(
  config: CompleteConfig,
  open: (config: CompleteConfig, logger: Logger, telemetry: Telemetry) => Promise<Store> = openOwnStore,
): Promise<Rooms> {
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

function openOwnStore(config: CompleteConfig, logger: Logger, telemetry: Telemetry): Promise<Store> {
  const { dataDir, databaseUrl, databaseConnections: connections, migrations } = config;
  return openStore({
    ...{ dataDir, databaseUrl, connections, migrations },
    exchangeRetentionMs: config.exchangeRetentionDays * DAY_MS,
    onCommit: telemetry.journal.onCommit,
    onListenerError: (error) => logger.error({ error }, "a listener of the journal failed"),
    onError: (error) => logger.warn({ error }, "the database, or the way to it, needs attention"),
  });
}

function openTelemetry(config: CompleteConfig, logger: Logger): Telemetry {
  const { tracerProvider, traceContent: content, providers } = config;
  return createTelemetry({
    version: packageVersion(),
    content,
    modelOf: parseModelName,
    providers: ["scripted", ...PROVIDER_NAMES, ...Object.keys(providers)],
    lease: { leaseMs: LEASE_MS, monotonicNow: () => performance.now() },
    now: Date.now,
    onError: (error, executionId) => logger.error({ error, executionId }, "the spans of an execution were lost"),
    ...(tracerProvider === undefined ? {} : { tracerProvider }),
  });
}

async function wire(config: CompleteConfig, store: Store, logger: Logger, telemetry: Telemetry): Promise<Rooms> {
  const now = Date.now;
  const onError = (error: unknown) => logger.error({ error }, "failed in the background");

  const keyring =
    config.masterKeys === undefined
      ? loadOrCreateKeyFile(config.dataDir, { isSealed: await isStoreSealed(store.settings) })
      : parseMasterKeys(config.masterKeys);
  const sealer = createSealer(keyring);
  await assertMasterKeys(store.settings, sealer);
  const age = store.isExclusive ? {} : { maxAgeMs: SHARED_MAX_AGE_MS };
  const signingSecrets = createSigningSecrets({ store: store.signingSecrets, sealer, now, newId, ...age });
  const workspaces = createWorkspaces({ store: store.workspaces, signingSecrets, now, newId });
  const { signingSecret, apiKey: bootstrapKey } = config;
  const workspace = await workspaces.ensureDefault(signingSecret);
  const apiKeys = createApiKeys({
    store: store.apiKeys,
    defaultWorkspaceId: workspace.id,
    now,
    newId,
    ...age,
    ...(bootstrapKey === undefined ? {} : { bootstrapKey }),
  });
  const tokens = createExecutionTokens({ keyring, principalOf: apiKeys.principalOf, now });
  const callbackTokens = createCallbackTokens({ keyring, now });
  const callbackAddress = createCallbackAddress({ host: config.host, publicUrl: config.publicUrl, now });
  const tickets = createCallbackTickets({ tokens: callbackTokens, baseUrl: callbackAddress.base });

  // Handlers: hosts that a person wrote down, so the operator's networks are open to them.
  const egressPolicy = {
    allowCidrs: config.allowCidrs,
    ports: config.allowPorts,
    ca: config.ca,
    ...(config.lookup === undefined ? {} : { lookup: config.lookup }),
  };
  const egress = createEgressGuard(egressPolicy);
  const limits = { concurrency: config.endpointConcurrency, queue: config.endpointQueue };
  const endpoints = createEndpointRegistry({ store: store.endpoints, now, newId, limits, onError });
  await endpoints.load();
  const dispatcher = createDispatcher({
    egress,
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
  const { providers } = config;
  const ownProviderEgress = createEgressGuard({
    ...egressPolicy,
    allowCidrs: providerNetworks(providers, config.allowCidrs),
  });
  // A model provider's answers reach whoever wrote its base URL, so no tenant gets to see private networks by it.
  const tenantProviderPolicy = { ...egressPolicy, allowCidrs: [] };
  const tenantProviderEgress = createEgressGuard(tenantProviderPolicy);
  const models = createModels({
    prices: loadPrices(config.pricesFile),
    providers,
    fetch: ownProviderEgress.fetch,
    workspaces: { providers: providerCredentials, fetch: tenantProviderEgress.fetch },
    now,
  });
  const integrations = createIntegrations({ store: store.integrations, now, ...age });
  const plans = createPlanBook(config.plans);
  const { limits: networkLimits, workspacePlans } = createNetworkLimits({ store, plans, integrations, now, ...age });
  const builtins = builtinTools();
  const argumentValidator = createArgumentValidator();
  // Hosts that a person approved, and connections apart from those of signed calls. The ports are judged with each request.
  const toolEgress = createEgressGuard({ ...egressPolicy, ports: "any" });
  const network: NetworkServices = {
    egress: toolEgress,
    secrets: workspaceSecrets,
    limits: networkLimits,
    integrations,
    ports: config.allowPorts,
    hasOpenedNetworks: config.allowCidrs.length > 0,
    now,
    onError: (error, { executionId, toolCallId }) =>
      logger.error({ error, executionId, toolCallId }, "failed in a call"),
  };
  const toolsets = createToolsets({ dispatcher, builtins, argumentValidator, network, now, onError });

  const { records } = store;
  const recordKeys = createRecordKeys(keyring);
  const sealed = createSealedJournal({ journal: store.journal, records, agents: store.agents, keys: recordKeys });
  const writes = watchWrites(sealed, () => performance.now());
  const tracing = telemetry.traceExecutions({
    journal: store.journal,
    agentNameOf: async (agentId, version) => (await store.agents.findVersion(agentId, version))?.agent.name,
  });
  const journal = observeJournal(writes.journal, [
    telemetry.executions,
    telemetry.journal,
    tracing,
    createExecutionLog(logger),
  ]);
  const receipts = createReceiptService({
    journal,
    records,
    agents: store.agents,
    workspaces: store.workspaces,
    keys: recordKeys,
  });
  const lease = createLease({
    owner: newId("attempt"),
    renew: (leaseUntil) => telemetry.aroundRenewal(() => journal.renew({ owner: lease.owner, leaseUntil })),
    onError,
    now,
    monotonicNow: () => performance.now(),
  });
  const deltas = createTextDeltas(store.textRelay);
  const loadAgent = createLoadAgent({ agents: store.agents, toolsets });
  const { approvalExpiryMs, callbackExpiryMs, allowSelfApproval: isSelfApprovalAllowed } = config;
  const startRun = createStartRun({
    journal,
    models,
    lease,
    deltas,
    now,
    random: Math.random,
    newId,
    loadAgent,
    approvalExpiryMs,
    callbackExpiryMs,
    onError: (error, executionId) => logger.error({ error, executionId }, "failed in an execution"),
    onUnreachable: (unreachable, executionId) =>
      logger.warn({ ...unreachable, executionId }, "a model provider could not be reached"),
  });
  const { maxConcurrentExecutions: maxConcurrent, drainMs } = config;
  const { isExclusive } = store;
  const scheduler = createInProcessScheduler({
    journal,
    lease,
    startRun,
    maxConcurrent,
    isExclusive,
    now,
    onError,
    onDrained: () => store.stopAsking?.(),
  });
  const newExecutionId = () => newId("execution");
  const commands = createCommands({ journal, now });
  const executions = createExecutionService({ journal, scheduler, lease, deltas, commands, now, newExecutionId });
  const approvals = createApprovalService({
    store: store.approvals,
    journal,
    commands,
    loadAgent,
    isSelfApprovalAllowed,
  });
  const readOutcome = createCallbackReader({ signingSecrets });
  const { read: readToken } = callbackTokens;
  const callbacks = createCallbackService({ readToken, readOutcome, journal, commands, loadAgent });

  const handlerUrlProblem = createHandlerUrlCheck(egressPolicy);
  const { isReachable: canBeCalledBack } = callbackAddress;
  const agentWriter = createAgentWriter({
    agents: store.agents,
    now,
    newAgentId: () => newId("agent"),
    async check(workspaceId, agent) {
      const names = new Set((await signingSecrets.list(workspaceId)).map(({ name }) => name));
      const hasSigningSecret = async (name: string) => names.has(name);
      const ofWorkspace = await providerCredentials.baseUrls(workspaceId);
      const check: ModelCheck["check"] = (model, tools) => models.check(model, tools, ofWorkspace);
      return checkAgentTools(agent, {
        models: { check },
        builtins,
        argumentValidator,
        describeSecrets: (names) => workspaceSecrets.describe(workspaceId, names),
        handlerUrlProblem,
        canBeCalledBack,
        hasSigningSecret,
      });
    },
  });

  const apiRoutes = [
    ...agentRoutes({ agents: store.agents, writer: agentWriter, now }),
    ...executionRoutes({
      executions,
      agents: store.agents,
      now,
      traceRequest: telemetry.traceRequest,
      onStreamOpened: telemetry.http.onStreamOpened,
    }),
    ...executionTokenRoutes({ executions, tokens }),
    ...toolCallRoutes(executions),
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
      check: createProviderCheck({ providers, policy: tenantProviderPolicy }),
    }),
    ...endpointRoutes(endpoints),
    ...integrationRoutes({ integrations, planNames: plans.names }),
    ...workspaceRoutes({
      store: store.workspaces,
      workspaces,
      plans: workspacePlans,
      apiKeys,
      operatorWorkspaceId: workspace.id,
    }),
  ];
  const readiness = createGatewayReadiness({ store, writes, sealer, lease, config });
  let openApiDocument: unknown;
  const routes: readonly Route[] = [
    ...apiRoutes,
    ...operationRoutes({
      readiness,
      metrics: telemetry.expose,
      operatorWorkspaceId: workspace.id,
      openApiDocument: () => {
        openApiDocument ??= createOpenApiDocument(routes, packageVersion());
        return openApiDocument;
      },
    }),
  ];

  telemetry.watch({ executions: scheduler.counts, endpoints: endpoints.totals, ping: store.ping });
  await scheduler.start();
  const { executionRetentionDays } = config;
  const { owner } = lease;
  const retention = createRetention({ journal, store: store.retention, owner, executionRetentionDays, now, onError });
  retention.start();
  const refresh = store.isExclusive ? undefined : setInterval(() => endpoints.load().catch(onError), SHARED_MAX_AGE_MS);
  refresh?.unref();
  return {
    store: { ...store, journal },
    executions,
    approvals,
    agentWriter,
    routes,
    authenticate: (bearer) => (isExecutionToken(bearer) ? tokens : apiKeys).authenticate(bearer),
    onKeyDeleted: apiKeys.onDeleted,
    keyRecheck: store.isExclusive ? undefined : { everyMs: SHARED_MAX_AGE_MS, principalOf: apiKeys.principalOf },
    defaultWorkspaceId: workspace.id,
    logger,
    telemetry,
    activeCount: () => scheduler.activeCount,
    revealSigningSecret: () => signingSecrets.reveal(workspace.id),
    drain: () => readiness.drain(),
    onListening: callbackAddress.listening,
    async close() {
      clearInterval(refresh);
      const deleted = retention.stop();
      await scheduler.stop(drainMs);
      // A database that does not answer must not hold up the end.
      await Promise.race([
        Promise.all([deleted, tracing.settled()]),
        sleep(BACKGROUND_END_MS, undefined, { ref: false }),
      ]);
      await Promise.all([egress.close(), toolEgress.close(), ownProviderEgress.close(), tenantProviderEgress.close()]);
      await store.close();
    },
  };
}
