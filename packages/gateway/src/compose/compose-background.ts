import type { Logger } from "@yagate/lib/logging/logger";
import type { EpochMs, EventStore, Store } from "@yagate/store/port";
import { createRetention } from "@yagate/store/retention/retention-pass";
import type { CompleteConfig } from "../config/gateway-config.ts";
import type { Lease } from "../scheduler/lease.ts";
import { createResealLog } from "../secrets/reseal-log.ts";
import { createResealing } from "../secrets/resealing.ts";
import type { openKeys } from "./compose-keys.ts";

export interface BackgroundOptions {
  readonly config: CompleteConfig;
  readonly store: Store;
  readonly eventStore: EventStore;
  readonly keys: Pick<Awaited<ReturnType<typeof openKeys>>, "keyring" | "sealer">;
  readonly lease: Pick<Lease, "owner">;
  readonly logger: Logger;
  readonly now: () => EpochMs;
  readonly onError: (error: unknown) => void;
  readonly endpoints: { load(): Promise<void> };
  readonly storedBytes: { start(): void; stop(): Promise<void> };
  /** How long is believed what other processes may change, in ms; absent where none can. */
  readonly maxAgeMs?: number;
}

/** Starts what a gateway does beside its requests and executions. */
export function startBackground(options: BackgroundOptions): { stop(): Promise<void> } {
  const { config, store, eventStore, keys, lease, logger, now, onError } = options;
  const { endpoints, storedBytes, maxAgeMs } = options;
  const refresh = maxAgeMs === undefined ? undefined : setInterval(() => endpoints.load().catch(onError), maxAgeMs);
  refresh?.unref();
  const { executionRetentionDays, auditRetentionDays } = config;
  const retained = {
    eventStore,
    store: store.retention,
    audit: store.audit,
    executionRetentionDays,
    auditRetentionDays,
  };
  const retention = createRetention({ ...retained, owner: lease.owner, now, onError });
  retention.start();
  storedBytes.start();
  const resealing = createResealing({
    store: store.sealedTexts,
    settings: store.settings,
    keyring: keys.keyring,
    sealer: keys.sealer,
    onReport: createResealLog(logger),
    onError,
  });
  resealing.start();
  return {
    async stop() {
      clearInterval(refresh);
      await Promise.all([retention.stop(), resealing.stop(), storedBytes.stop()]);
    },
  };
}
