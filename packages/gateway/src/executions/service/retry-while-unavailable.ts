import { setTimeout as sleep } from "node:timers/promises";
import { YagateError } from "@yagate/protocol";

/** Pause in ms before work is repeated while the store is unavailable. */
const PAUSE_MS = { first: 250, most: 10_000 } as const;

/** When to give up, and where to report that the store is unavailable. */
export interface RetryOptions {
  /** Called after a failure. Once the signal is aborted, the next `UNAVAILABLE` is thrown. */
  readonly signal: () => AbortSignal;
  readonly onRefusal: (error: YagateError) => void;
}

/**
 * Repeats work while the store is unavailable because of, for example, a full disk or a lost connection. An outcome
 * outside the gateway can't be undone, so it must be recorded, however long that takes.
 *
 * @param work - rejects when it fails, and never throws.
 */
export function retryWhileUnavailable<Result>(work: () => Promise<Result>, options: RetryOptions): Promise<Result> {
  return work().catch((error: unknown) => retryAfter(error, work, options));
}

async function retryAfter<Result>(
  failure: unknown,
  work: () => Promise<Result>,
  { signal: signalOf, onRefusal }: RetryOptions,
): Promise<Result> {
  const signal = signalOf();
  let error = failure;
  let pauseMs: number = PAUSE_MS.first;
  for (;;) {
    if (!YagateError.is(error) || error.code !== "UNAVAILABLE" || signal.aborted) throw error;
    onRefusal(error);
    // An abort only ends the pause. One last try follows.
    await sleep(pauseMs, undefined, { signal }).catch(() => undefined);
    pauseMs = Math.min(pauseMs * 2, PAUSE_MS.most);
    try {
      return await work();
    } catch (next) {
      error = next;
    }
  }
}
