import type { ExecutionEvent } from "@yagate/protocol";
import { createRecordKeys } from "@yagate/receipts/record-keys";
import { createSealedEventStore } from "@yagate/receipts/sealed-event-store";
import { observeEventStore, watchWrites } from "@yagate/store/events/store-layers";
import { openStore } from "@yagate/store/open-store";
import type { Store } from "@yagate/store/port";
import { followStoredBytes } from "@yagate/store/quotas/follow-stored-bytes";
import { withQuotas } from "@yagate/store/quotas/with-quotas";
import { DAY_MS } from "@yagate/store/retention/retention";
import { createEventListener } from "@yagate/telemetry/event-listener";
import { createExecutionLog } from "@yagate/telemetry/execution-log";
import type { ExecutionTracingOptions } from "@yagate/telemetry/execution-tracing";
import type { ComposedKeys } from "./compose-keys.ts";
import type { ComposedPlans } from "./compose-plans.ts";
import type { GatewayContext } from "./gateway-context.ts";
import { createLargeStoreWarning } from "./large-store-warning.ts";

/** Opens the store in the configuration. */
export function openConfiguredStore({ config, logger, telemetry }: GatewayContext): Promise<Store> {
  const { dataDir, databaseUrl, databaseConnections: connections, migrations } = config;
  return openStore({
    ...{ dataDir, databaseUrl, connections, migrations },
    exchangeRetentionMs: config.exchangeRetentionDays * DAY_MS,
    onCommit: telemetry.eventStore.onCommit,
    onListenerError: (error) => logger.error({ error }, "a listener of the event store failed"),
    onError: (error) => logger.warn({ error }, "the database, or the connection to it, needs attention"),
  });
}

export type ComposedStore = ReturnType<typeof composeStore>;

/**
 * Wraps the opened store in the layers through which every module writes. Modules never use the unwrapped event store.
 * Its layers, from the inside out:
 *
 * 1. quotas reject new executions in the commit that would create them;
 * 2. seals chain and sign each append in its commit;
 * 3. write health remembers a rejected write, for `/readyz`;
 * 4. observers count, log and trace what has become durable.
 */
export function composeStore(
  { config, telemetry, logger, now, onError }: GatewayContext,
  opened: Store,
  parts: {
    readonly keys: Pick<ComposedKeys, "keyring">;
    readonly plans: Pick<ComposedPlans, "quotasOf">;
    readonly serverOf: ExecutionTracingOptions["serverOf"];
  },
) {
  const warnIfLarge = createLargeStoreWarning(logger);
  const onTotal = (bytes: number) => {
    telemetry.quotas.onStoredBytes(bytes);
    warnIfLarge(bytes);
  };
  const storedBytes = followStoredBytes({ store: opened.storedBytes, now, onTotal, onError });
  const bounded = withQuotas(opened, { quotasOf: parts.plans.quotasOf, storedBytesOf: storedBytes.known.of });

  const { agents, records } = bounded;
  const recordKeys = createRecordKeys(parts.keys.keyring);
  const sealed = createSealedEventStore({ eventStore: bounded.eventStore, records, agents, keys: recordKeys });
  const writes = watchWrites(sealed, () => performance.now());
  // Tracing is itself an observer, so it reads finished executions from a layer below the observers.
  const tracing = telemetry.traceExecutions({
    eventStore: bounded.eventStore,
    serverOf: parts.serverOf,
    agentNameOf: async (agentId, version) => (await agents.findVersion(agentId, version))?.agent.name,
  });
  const observers = [
    ...[telemetry.executions, telemetry.eventStore, tracing, createExecutionLog(logger)],
    ...(config.onEvent === undefined ? [] : [listenTo(config.onEvent, logger)]),
  ];
  const store: Store = { ...bounded, eventStore: observeEventStore(writes.eventStore, observers) };
  return {
    store,
    storedBytes,
    recordKeys,
    writes: { assertAccepted: writes.assertAccepted },
    tracesWritten: tracing.settled,
  };
}

function listenTo(onEvent: (event: ExecutionEvent) => void, logger: GatewayContext["logger"]) {
  return createEventListener(onEvent, (error, executionId) => {
    logger.error({ error, executionId }, "onEvent threw an exception");
  });
}
