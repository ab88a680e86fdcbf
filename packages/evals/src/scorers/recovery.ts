import type { MadeCall } from "../calls/made-call.ts";

const UNSUCCESSFUL: ReadonlySet<string> = new Set(["failed", "denied", "cancelled"]);

/**
 * Scores how often the agent recovered from a failure: the share of failed calls after which a call of the same tool
 * succeeded. A call that succeeded only after a retry counts as such a failure too.
 *
 * @returns undefined if nothing failed.
 */
export function scoreRecovery(calls: readonly MadeCall[]): number | undefined {
  const failures = calls.flatMap((call, at) => {
    if (UNSUCCESSFUL.has(call.status)) return [hasLaterSuccess(calls, call.name, at)];
    return call.status === "completed" && call.attempts > 1 ? [true] : [];
  });
  if (failures.length === 0) return undefined;
  return failures.filter((isRecovered) => isRecovered).length / failures.length;
}

function hasLaterSuccess(calls: readonly MadeCall[], name: string, at: number): boolean {
  return calls.slice(at + 1).some((call) => call.name === name && call.status === "completed");
}
