import type { AttemptName } from "./boundaries.ts";
import { cross } from "./crossing.ts";

/** Attempts whose intents came in one commit. */
interface Batch {
  readonly unsent: Set<string>;
  readonly open: Set<string>;
}

const batches = new Map<string, Batch>();

const keyOf = ({ toolCallId, number }: AttemptName) => `${toolCallId} ${number}`;

export function noteIntents(attempts: readonly AttemptName[]): void {
  if (attempts.length < 2) return;
  const keys = attempts.map(keyOf);
  const batch = { unsent: new Set(keys), open: new Set(keys) };
  for (const key of keys) batches.set(key, batch);
}

export function noteSent(attempt: AttemptName): void {
  const batch = batches.get(keyOf(attempt));
  if (batch?.unsent.delete(keyOf(attempt)) && batch.unsent.size > 0) cross("between_sends", [attempt]);
}

export function noteOutcomes(attempts: readonly AttemptName[]): void {
  for (const attempt of attempts) {
    const key = keyOf(attempt);
    const batch = batches.get(key);
    batches.delete(key);
    if (batch?.open.delete(key) && batch.open.size > 0) cross("between_outcomes", [attempt]);
  }
}
