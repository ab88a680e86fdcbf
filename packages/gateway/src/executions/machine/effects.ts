import { startableCalls } from "./call-order.ts";
import type { ExecutionConfig } from "./execution-config.ts";
import {
  type CallState,
  type ExecutionState,
  isClosed,
  isClosing,
  isWaitingForApproval,
  isWaitingForCallback,
  remainingWallMs,
  runningAttempt,
} from "./state.ts";

/** Work that the state calls for. The runner starts what is not under way yet; `key` tells one from another. */
export type Effect =
  | { readonly type: "model"; readonly key: string; readonly turn: number; readonly attempt: number }
  | {
      readonly type: "attempt";
      readonly key: string;
      readonly call: CallState;
      readonly number: number;
      /** Nobody waits for its answer any more: end it, and record how it ended. */
      readonly isAborted: boolean;
      /** If nothing of it has left by now, nothing may. */
      readonly isTooLateToSend: boolean;
    }
  | { readonly type: "inline"; readonly key: string; readonly call: CallState; readonly isAborted: boolean };

/** Everything that must be under way in this state. */
export function outstanding(state: ExecutionState, config: ExecutionConfig): readonly Effect[] {
  const turn = state.turns.at(-1);
  if (turn === undefined || state.finishedAt !== null) return [];
  if (turn.phase === "requested") {
    if (isClosing(state)) return [];
    return [{ type: "model", key: `model:${turn.number}:${turn.attempt}`, turn: turn.number, attempt: turn.attempt }];
  }
  return turn.calls.flatMap((call) => callEffect(state, call, config));
}

function callEffect(state: ExecutionState, call: CallState, config: ExecutionConfig): readonly Effect[] {
  if (isClosed(call) || isWaitingForApproval(call)) return [];
  if (config.tools.get(call.name)?.executor === "inline") {
    return [{ type: "inline", key: `inline:${call.id}`, call, isAborted: isClosing(state) }];
  }
  const attempt = runningAttempt(call);
  if (attempt === undefined) return [];
  // A write that has left is awaited and recorded; past the wall time nothing is.
  const isAborted =
    state.limitReached?.limit === "maxWallTimeMs" || (isClosing(state) && call.sideEffect === "read_only");
  // What was brought meanwhile ends the retries.
  const isTooLateToSend = isClosing(state) || call.callback !== null;
  return [{ type: "attempt", key: attempt.id, call, number: attempt.number, isAborted, isTooLateToSend }];
}

/** When the machine wants to be woken at the latest, ms since the epoch; undefined: only a report can move it. */
export function wakeAt(state: ExecutionState, config: ExecutionConfig, now: number): number | undefined {
  if (state.finishedAt !== null) return undefined;
  const turn = state.turns.at(-1);
  const moments: number[] = [];
  if (state.status === "running" && !isClosing(state)) moments.push(now + remainingWallMs(state, now));
  if (turn?.phase === "retrying" && turn.retryAt !== null) moments.push(turn.retryAt);
  const startable = turn === undefined ? new Set() : startableCalls(turn, config);
  for (const call of turn?.calls ?? []) {
    if (isClosed(call)) continue;
    // A retry that others hold back starts when they report, not when its moment comes.
    if (call.retryAt !== null && startable.has(call)) moments.push(call.retryAt);
    if (isWaitingForCallback(call) && call.callbackUntil !== null) moments.push(call.callbackUntil);
    if (call.fallbackUntil !== null) moments.push(call.fallbackUntil);
    if (call.approval?.status === "pending") moments.push(call.approval.expiresAt);
  }
  return moments.length === 0 ? undefined : Math.min(...moments);
}

/** Until when an execution only waits, if that is long: then nothing of it need stay in memory. ms since the epoch. */
export function suspendUntil(state: ExecutionState, config: ExecutionConfig, now: number): number | undefined {
  if (state.status !== "waiting") return undefined;
  const at = wakeAt(state, config, now);
  return at !== undefined && isLongWait(at, now) ? at : undefined;
}

/**
 * A wait of at least so long is worth laying the execution down for: two commits more, a claim, and reading its log
 * again. What is due is looked for every second, so a wait of this length ends at most a fifth later than it was meant to.
 */
const LONG_WAIT_MS = 5_000;

/** Whether nothing of an execution need stay in memory until then. Both in ms since the epoch. */
export function isLongWait(at: number, now: number): boolean {
  return at - now >= LONG_WAIT_MS;
}
