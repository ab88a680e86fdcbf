import type { Logger } from "@yagate/lib/logging/logger";
import { openStore } from "@yagate/store/open-store";
import type { Store } from "@yagate/store/port";
import { DAY_MS } from "@yagate/store/retention/retention";
import type { CompleteConfig } from "../config/gateway-config.ts";
import type { Telemetry } from "../telemetry/gateway-telemetry.ts";

/** Opens the store that the configuration says. */
export function openOwnStore(config: CompleteConfig, logger: Logger, telemetry: Telemetry): Promise<Store> {
  const { dataDir, databaseUrl, databaseConnections: connections, migrations } = config;
  return openStore({
    ...{ dataDir, databaseUrl, connections, migrations },
    exchangeRetentionMs: config.exchangeRetentionDays * DAY_MS,
    onCommit: telemetry.eventStore.onCommit,
    onListenerError: (error) => logger.error({ error }, "a listener of the journal failed"),
    onError: (error) => logger.warn({ error }, "the database, or the way to it, needs attention"),
  });
}
