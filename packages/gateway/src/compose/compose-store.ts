import type { Logger } from "@yagate/lib/logging/logger";
import type { Quotas } from "@yagate/protocol";
import type { EpochMs, Store } from "@yagate/store/port";
import { followStoredBytes } from "@yagate/store/quotas/follow-stored-bytes";
import { withQuotas } from "@yagate/store/quotas/with-quotas";
import type { Telemetry } from "../telemetry/gateway-telemetry.ts";

/** 10 GiB: from here on, whoever runs the gateway should know how long executions are kept. */
const LARGE_STORE_BYTES = 10_737_418_240;

export interface BoundedStoreOptions {
  readonly quotasOf: (workspaceId: string) => Promise<Quotas>;
  readonly logger: Logger;
  readonly telemetry: Pick<Telemetry, "quotas">;
  readonly now: () => EpochMs;
  readonly onError: (error: unknown) => void;
}

/** The store bounded by quotas, and what follows how much workspaces store, which has to be started. */
export function openBoundedStore(opened: Store, options: BoundedStoreOptions) {
  const { quotasOf, logger, telemetry, now, onError } = options;
  const warnIfLarge = createLargeStoreWarning(logger);
  const storedBytes = followStoredBytes({
    store: opened.storedBytes,
    now,
    onTotal(bytes) {
      telemetry.quotas.onStoredBytes(bytes);
      warnIfLarge(bytes);
    },
    onError,
  });
  return { store: withQuotas(opened, { quotasOf, storedBytesOf: storedBytes.known.of }), storedBytes };
}

/** Makes what hears of the size of the whole store, and warns each time that it passes 10 GiB. */
export function createLargeStoreWarning(logger: Pick<Logger, "warn">): (storedBytes: number) => void {
  let isLarge = false;
  return (storedBytes) => {
    const wasLarge = isLarge;
    isLarge = storedBytes > LARGE_STORE_BYTES;
    if (wasLarge || !isLarge) return;
    const advice = "set YAGATE_EXECUTION_RETENTION_DAYS, so that old executions are deleted";
    logger.warn({ storedBytes, threshold: LARGE_STORE_BYTES, advice }, "the store has grown past 10 GiB");
  };
}
