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

/** Work that the state asks for. The effect runner starts what is not running yet; `key` identifies an effect. */
export type Effect =
  | { readonly type: "model"; readonly key: string; readonly turn: number; readonly attempt: number }
  | {
      readonly type: "attempt";
      readonly key: string;
      readonly call: CallState;
      readonly number: number;
      /** The execution no longer waits for it: abort it, and record how it ended. */
      readonly isAborted: boolean;
      /** If it was not sent yet, it may not be sent any more. */
      readonly isTooLateToSend: boolean;
    }
  | { readonly type: "inline"; readonly key: string; readonly call: CallState; readonly isAborted: boolean };

/** Returns all work that must be running in this state. */
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
  // A write that was sent is awaited and recorded, except past the wall time.
  const isAborted =
    state.limitReached?.limit === "maxWallTimeMs" || (isClosing(state) && call.sideEffect === "read_only");
  // A callback that arrived meanwhile ends the retries.
  const isTooLateToSend = isClosing(state) || call.callback !== null;
  return [{ type: "attempt", key: attempt.id, call, number: attempt.number, isAborted, isTooLateToSend }];
}

/** When the machine must be advanced at the latest, ms since the epoch; undefined: only an input can change the state. */
export function wakeAt(state: ExecutionState, config: ExecutionConfig, now: number): number | undefined {
  if (state.finishedAt !== null) return undefined;
  const turn = state.turns.at(-1);
  const moments: number[] = [];
  if (state.status === "running" && !isClosing(state)) moments.push(now + remainingWallMs(state, now));
  if (turn?.phase === "retrying" && turn.retryAt !== null) moments.push(turn.retryAt);
  const startable = turn === undefined ? new Set() : startableCalls(turn, config);
  for (const call of turn?.calls ?? []) {
    if (isClosed(call)) continue;
    // A retry that other calls hold back starts when they end, not at its own time.
    if (call.retryAt !== null && startable.has(call)) moments.push(call.retryAt);
    if (isWaitingForCallback(call) && call.callbackUntil !== null) moments.push(call.callbackUntil);
    if (call.fallbackUntil !== null) moments.push(call.fallbackUntil);
    if (call.approval?.status === "pending") moments.push(call.approval.expiresAt);
  }
  return moments.length === 0 ? undefined : Math.min(...moments);
}

/** Until when an execution only waits, if the wait is long enough to suspend it, ms since the epoch. */
export function suspendUntil(state: ExecutionState, config: ExecutionConfig, now: number): number | undefined {
  if (state.status !== "waiting") return undefined;
  const at = wakeAt(state, config, now);
  return at !== undefined && isLongWait(at, now) ? at : undefined;
}

/**
 * A wait of this length is worth the cost of suspending the execution: two more commits, a claim, and another read of its
 * log. Due executions are looked for every second, so such a wait takes at most a fifth longer than it should.
 */
const LONG_WAIT_MS = 5_000;

/** Whether a wait from `now` until `at` is long enough to suspend the execution. Both in ms since the epoch. */
export function isLongWait(at: number, now: number): boolean {
  return at - now >= LONG_WAIT_MS;
}
