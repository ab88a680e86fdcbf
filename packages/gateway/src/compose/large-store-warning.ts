import type { Logger } from "@yagate/lib/logging/logger";

/** 10 GiB. */
const LARGE_STORE_BYTES = 10_737_418_240;

/** Creates the listener for the total size of the store. It logs a warning each time the store grows past 10 GiB. */
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
