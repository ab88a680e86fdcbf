/** First and longest wait after failed syncs, in ms. */
const FIRST_BACKOFF_MS = 60_000;
const MAX_BACKOFF_MS = 3_600_000;

/**
 * Returns the wait until the next sync in ms. After a failure it starts at one minute and doubles up to one hour. Each
 * wait varies by up to 10%, so that sources which were created together are not read together forever.
 *
 * @param failures - number of failed syncs in a row.
 * @param random - at least 0 and less than 1.
 */
export function syncWaitMs(failures: number, syncIntervalSeconds: number, random: number): number {
  const ms =
    failures === 0
      ? syncIntervalSeconds * 1_000
      : Math.min(MAX_BACKOFF_MS, FIRST_BACKOFF_MS * 2 ** Math.min(failures - 1, 10));
  return Math.round(ms * (0.9 + 0.2 * random));
}
