import { executionEventSchema, isBlocked } from "@yagate/protocol";
import type { ReadEntry } from "../check-record.ts";

/** The attempts of a record that a rule of the gateway kept from leaving, by id: what comes later in it tells that. */
export function blockedAttempts(entries: readonly ReadEntry[]): ReadonlySet<string> {
  return new Set(entries.flatMap(({ event }) => (mayBeBlocked(event) ? blockedAttempt(event) : [])));
}

function mayBeBlocked({ type, errorCode }: ReadEntry["event"]): boolean {
  return type === "attempt.finished" && errorCode !== undefined;
}

function blockedAttempt(stored: ReadEntry["event"]): readonly string[] {
  const event = executionEventSchema.safeParse(stored).data;
  if (event?.type !== "attempt.finished") return [];
  const { attemptId, errorCode: code, outcome, httpStatus } = event;
  // A handler may use a code of the gateway's: it has answered then.
  if (code === undefined || outcome === undefined || httpStatus !== undefined) return [];
  return isBlocked({ code, source: "gateway", outcome }) ? [attemptId] : [];
}
