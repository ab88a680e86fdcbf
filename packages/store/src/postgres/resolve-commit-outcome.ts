import { setTimeout as sleep } from "node:timers/promises";

/** How long a write whose commit was lost is asked after. */
const PATIENCE_MS = 30_000;
const PAUSE_MS = { first: 50, most: 1_000 } as const;

/**
 * Asks until there is an answer: after a connection was lost, the server may be away for a while.
 *
 * @param ask - undefined, or a rejection, means that there is none yet.
 * @param options.signal - aborted when there is no time left to ask again.
 * @throws what `options.orElse` makes, when no answer came.
 */
export async function resolveCommitOutcome<Answer>(
  ask: () => Promise<Answer | undefined>,
  { signal, orElse }: { readonly signal: AbortSignal; readonly orElse: () => Error },
): Promise<Answer> {
  const until = performance.now() + PATIENCE_MS;
  let pauseMs: number = PAUSE_MS.first;
  for (;;) {
    const answer = await ask().catch(() => undefined);
    if (answer !== undefined) return answer;
    if (signal.aborted || performance.now() > until) throw orElse();
    await sleep(pauseMs, undefined, { signal }).catch(() => undefined);
    pauseMs = Math.min(pauseMs * 2, PAUSE_MS.most);
  }
}
