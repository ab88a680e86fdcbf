import { setTimeout as sleep } from "node:timers/promises";
import { YagateError } from "@yagate/protocol";

/** Pause in ms before work is repeated while the store is unavailable. */
const PAUSE_MS = { first: 250, most: 10_000 } as const;

/**
 * Repeats work while the store is unavailable because of, for example, a full disk or a lost connection. An outcome
 * outside the gateway can't be undone, so it must be recorded, however long that takes.
 *
 * @param options.signal - once it is aborted, the next `UNAVAILABLE` is thrown.
 */
export async function retryWhileUnavailable<Result>(
  work: () => Promise<Result>,
  { signal, onRefusal }: { readonly signal: AbortSignal; readonly onRefusal: (error: YagateError) => void },
): Promise<Result> {
  let pauseMs: number = PAUSE_MS.first;
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!YagateError.is(error) || error.code !== "UNAVAILABLE" || signal.aborted) throw error;
      onRefusal(error);
    }
    // An abort only ends the pause. One last try follows.
    await sleep(pauseMs, undefined, { signal }).catch(() => undefined);
    pauseMs = Math.min(pauseMs * 2, PAUSE_MS.most);
  }
}
