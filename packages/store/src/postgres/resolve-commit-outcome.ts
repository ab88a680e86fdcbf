import { setTimeout as sleep } from "node:timers/promises";

/** How long to keep asking for the outcome of a lost commit. */
const PATIENCE_MS = 30_000;
const PAUSE_MS = { first: 50, most: 1_000 } as const;

/**
 * Queries the outcome of a commit until it is known. After a lost connection, the server may be unavailable for a
 * while.
 *
 * @param query - finds the outcome. Resolves to undefined or rejects while the outcome is unknown.
 * @param options.signal - abort it to stop after the current query.
 * @throws the error that `options.orElse` returns, if the outcome remains unknown.
 */
export async function resolveCommitOutcome<Outcome>(
  query: () => Promise<Outcome | undefined>,
  { signal, orElse }: { readonly signal: AbortSignal; readonly orElse: () => Error },
): Promise<Outcome> {
  const until = performance.now() + PATIENCE_MS;
  let pauseMs: number = PAUSE_MS.first;
  for (;;) {
    const outcome = await query().catch(() => undefined);
    if (outcome !== undefined) return outcome;
    if (signal.aborted || performance.now() > until) throw orElse();
    await sleep(pauseMs, undefined, { signal }).catch(() => undefined);
    pauseMs = Math.min(pauseMs * 2, PAUSE_MS.most);
  }
}
