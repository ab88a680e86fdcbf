/** Settings are in days. */
export const DAY_MS = 86_400_000;

/** How long the messages of attempts are kept unless configured otherwise: 7 days. */
export const DEFAULT_EXCHANGE_RETENTION_MS = 604_800_000;

/** How long an endpoint is listed that nothing is sent to. One that is disabled stays until somebody enables it. */
export const UNUSED_ENDPOINT_MS = 2_592_000_000;

/**
 * Ended executions stay this much longer than configured: an idempotency key names its execution for 24 hours, by the
 * clock of whichever replica is asked.
 */
export const CLOCK_MARGIN_MS = 60_000;
