import { bindLogger, type Logger } from "../logger.ts";

const warned = new WeakSet<Logger>();

/**
 * Warns in production, once per logger, that the default store is only sufficient for a service that runs as one
 * process.
 */
export function warnOfDefaultStore(logger: Logger): void {
  if (globalThis.process?.env["NODE_ENV"] !== "production" || warned.has(logger)) return;
  warned.add(logger);
  bindLogger(logger).warn(
    "calls are only stored in the memory of this process: a duplicate that reaches another process, or this one " +
      "after a restart, runs again; set the option idempotency to a store that all processes share, or, with a single " +
      "process, to createMemoryIdempotencyStore()",
  );
}
