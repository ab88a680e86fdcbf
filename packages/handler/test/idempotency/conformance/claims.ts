import type { CallOutcome, IdempotencyStore } from "../../../src/index.ts";

/** Long enough that no slow machine reaches them by itself. */
export const BUDGET_MS = 60_000;
export const KEEP_MS = 600_000;

export function claim(store: IdempotencyStore, key = "tc_1", fingerprint = "f", lapsesAfterMs = BUDGET_MS) {
  return store.claim({ key, fingerprint, lapsesAfterMs, keepForMs: KEEP_MS });
}

/** Claims a call that nobody has. */
export async function holderOf(store: IdempotencyStore, key = "tc_1", lapsesAfterMs = BUDGET_MS): Promise<string> {
  const claimed = await claim(store, key, "f", lapsesAfterMs);
  if (claimed.state !== "claimed") throw new Error(`expected to claim ${key}, got ${claimed.state}`);
  return claimed.holder;
}

export function outcome(body = "{}", attempt = 1): CallOutcome {
  return { status: 200, body, attempt };
}
