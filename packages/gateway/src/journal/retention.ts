/** How long the messages of attempts are kept unless configured otherwise: 7 days. */
export const DEFAULT_EXCHANGE_RETENTION_MS = 604_800_000;
