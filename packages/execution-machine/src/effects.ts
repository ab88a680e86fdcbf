import { startableCalls } from "./call-order.ts";
import { type ExecutionConfig, isRecordedCall, traitsOf } from "./execution-config.ts";
import {
  type CallState,
  type ExecutionState,
  isClosed,
  isClosing,
  isWaitingForApproval,
  isWaitingForCallback,
  isWaitingForInput,
  remainingWallMs,
  runningAttempt,
  type TaskState,
  type TurnState,
} from "./state.ts";
import { ASKING_INTERVAL_MS, isWaitingForTask, type TaskStep, taskStepOf } from "./task-state.ts";

/**
 * Work that must be running in a state. The effect runner starts what is not running yet; `key` identifies an effect.
 */
export type Effect =
  | { readonly type: "model"; readonly key: string; readonly turn: number; readonly attempt: number }
  | {
      readonly type: "attempt";
      readonly key: string;
      readonly call: CallState;
      readonly number: number;
      /** Whether to abort the attempt and record how it ended, because the execution no longer waits for it. */
      readonly isAborted: boolean;
      /** Whether the attempt, if it was not sent yet, may no longer be sent. */
      readonly isTooLateToSend: boolean;
    }
  | {
      readonly type: "task";
      readonly key: string;
      readonly call: CallState;
      readonly task: TaskState;
      readonly step: TaskStep;
      /** Earliest time of the first request, in ms since the epoch. */
      readonly notBefore: number;
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
  return turn.calls.flatMap((call) => callEffect(state, { turn, call }, config));
}

/**
 * Returns whether a recorded call waits for other calls of its model turn. The calls of tools that run inside the
 * gateway wait for none.
 */
export function isHeldBack(turn: TurnState, call: CallState, config: ExecutionConfig): boolean {
  return isRecordedCall(config, call) && !startableCalls(turn, config).has(call);
}

function callEffect(
  state: ExecutionState,
  { turn, call }: { readonly turn: TurnState; readonly call: CallState },
  config: ExecutionConfig,
): readonly Effect[] {
  if (isClosed(call) || isWaitingForApproval(call) || isHeldBack(turn, call, config)) return [];
  if (traitsOf(config, call)?.executor === "inline") {
    const moves = call.triedCapabilities?.length;
    const key = `inline:${call.id}${moves === undefined ? "" : `:${moves}`}`;
    return [{ type: "inline", key, call, isAborted: isClosing(state) }];
  }
  const attempt = runningAttempt(call);
  if (attempt === undefined) return taskEffect(state, call);
  // The gateway waits for a write that was sent and records its outcome, unless the wall time is over.
  const isAborted =
    state.limitReached?.limit === "maxWallTimeMs" || (isClosing(state) && call.sideEffect === "read_only");
  // A callback that has already arrived makes further retries unnecessary. The call of a resumed attempt was sent before.
  const isTooLateToSend = attempt.isResumption !== true && (isClosing(state) || call.callback !== null);
  return [{ type: "attempt", key: attempt.id, call, number: attempt.number, isAborted, isTooLateToSend }];
}

function taskEffect(state: ExecutionState, call: CallState): readonly Effect[] {
  const { task } = call;
  const step = taskStepOf(state, call);
  if (step === undefined || task === null) return [];
  const { round } = { round: task.deliveredRound, ...call.input };
  const notBefore = step === "poll" ? firstPollAt(call, task) : 0;
  return [{ type: "task", key: `task:${call.id}:${step}:${round}`, call, task, step, notBefore }];
}

/**
 * Returns the time of the first poll of a task after it was created or has asked a question, in ms since the epoch. It
 * is at most the time at which the task expires.
 */
function firstPollAt(call: CallState, { createdAt, expiresAt, ttlMs, pollIntervalMs, askedAt }: TaskState): number {
  const endAt = Math.min(createdAt + (ttlMs ?? Infinity), expiresAt);
  if (call.input === null) return Math.min(createdAt + pollIntervalMs, endAt);
  return isWaitingForInput(call) && askedAt !== null ? Math.min(askedAt + ASKING_INTERVAL_MS, endAt) : 0;
}

/**
 * Returns until when the gateway waits for the call's task at most, in ms since the epoch; nothing if that time is
 * over. The task's own effect ends the call.
 */
export function taskEndsOf(call: CallState, now: number): readonly number[] {
  return isWaitingForTask(call) && call.task !== null && call.task.expiresAt > now ? [call.task.expiresAt] : [];
}

/** Returns when the call's waits for a callback, a fallback, input or an approval end, in ms since the epoch. */
function waitEndsOf(call: CallState): readonly number[] {
  const { callbackUntil, fallbackUntil, input, approval } = call;
  const ends: number[] = [];
  if (isWaitingForCallback(call) && callbackUntil !== null) ends.push(callbackUntil);
  if (fallbackUntil !== null) ends.push(fallbackUntil);
  if (isWaitingForInput(call) && input !== null) ends.push(input.expiresAt);
  if (approval?.status === "pending") ends.push(approval.expiresAt);
  return ends;
}

/** Returns when the retries of the turn's open calls are due and when their waits end, in ms since the epoch. */
export function callMoments(turn: TurnState, config: ExecutionConfig): readonly number[] {
  const startable = startableCalls(turn, config);
  return turn.calls.flatMap((call) => {
    if (isClosed(call)) return [];
    // A retry that is held back by other calls starts when they end, not at its planned time.
    const retries = call.retryAt !== null && startable.has(call) ? [call.retryAt] : [];
    return [...retries, ...waitEndsOf(call)];
  });
}

/**
 * Returns the time by which the machine must be advanced again, in ms since the epoch; undefined if only an input can
 * change the state.
 */
export function wakeAt(state: ExecutionState, config: ExecutionConfig, now: number): number | undefined {
  if (state.finishedAt !== null) return undefined;
  const turn = state.turns.at(-1);
  const moments: number[] = [];
  if (state.status === "running" && !isClosing(state)) moments.push(now + remainingWallMs(state, now));
  if (turn?.phase === "retrying" && turn.retryAt !== null) moments.push(turn.retryAt);
  if (turn !== undefined) moments.push(...callMoments(turn, config));
  return moments.length === 0 ? undefined : Math.min(...moments);
}

/**
 * Returns the time until which the execution only waits, in ms since the epoch; undefined if it does more than wait, or
 * if the wait is too short to suspend it.
 *
 * @param pollAt - time of the next request about a task; undefined if no request about a task is planned.
 */
export function suspendUntil(
  state: ExecutionState,
  config: ExecutionConfig,
  now: number,
  pollAt?: number,
): number | undefined {
  if (state.status !== "waiting") return undefined;
  const at = Math.min(wakeAt(state, config, now) ?? Infinity, pollAt ?? Infinity);
  return at < Infinity && isLongWait(at, now) ? at : undefined;
}

/**
 * Minimum wait that is worth the cost of suspending the execution: two more commits, a claim, and another read of its
 * log. The gateway looks for due executions every second, so such a wait becomes at most a fifth longer.
 */
const LONG_WAIT_MS = 5_000;

/**
 * Returns whether a wait from `now` until `at`, both in ms since the epoch, is long enough to suspend the execution.
 */
export function isLongWait(at: number, now: number): boolean {
  return at - now >= LONG_WAIT_MS;
}
