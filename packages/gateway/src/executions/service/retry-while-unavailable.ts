import { setTimeout as sleep } from "node:timers/promises";
import { YagateError } from "@yagate/protocol";

/** Pause between two attempts while the store is unavailable. */
const PAUSE_MS = { first: 250, most: 10_000 } as const;

/**
 * Repeats work while the store is unavailable (a full disk, a lost connection): what has happened outside can't be undone,
 * so it must be recorded, however long that takes.
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
    // An abort only ends the pause: one last attempt follows.
    await sleep(pauseMs, undefined, { signal }).catch(() => undefined);
    pauseMs = Math.min(pauseMs * 2, PAUSE_MS.most);
  }
}
