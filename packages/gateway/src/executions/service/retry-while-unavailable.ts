import { setTimeout as sleep } from "node:timers/promises";
import { YagateError } from "@yagate/protocol";

/** Pause between two tries at a journal that refuses. */
const PAUSE_MS = { first: 250, most: 10_000 } as const;

/**
 * Repeats what the journal refuses for a while (a full disk, a held lock): what happened outside can't be undone, so it
 * must be written down, however long that takes.
 *
 * @param options.signal - aborted when nobody waits any more; the next refusal is then thrown.
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
    // An abort only ends the pause: the last try after it decides.
    await sleep(pauseMs, undefined, { signal }).catch(() => undefined);
    pauseMs = Math.min(pauseMs * 2, PAUSE_MS.most);
  }
}
