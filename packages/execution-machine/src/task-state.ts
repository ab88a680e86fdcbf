import type { ExecutionEvent } from "@yagate/protocol";
import {
  type CallState,
  type ExecutionState,
  isClosed,
  isClosing,
  isWaitingForInput,
  type TaskState,
} from "./state.ts";

/** The next request about a task: ask for its state, send the answers of a person, or ask the server to cancel it. */
export type TaskStep = "poll" | "deliver" | "cancel";

/**
 * Least time between two requests about a task while a person is asked, in ms. The answers are sent at once, so these
 * requests only notice a task that ends without them.
 */
export const ASKING_INTERVAL_MS = 60_000;

/** Returns the state of a task that a server has just created. */
export function toTask(
  { taskId, ttlMs, pollIntervalMs, expiresAt, at }: Extract<ExecutionEvent, { type: "task.created" }>,
  { input }: Pick<CallState, "input">,
): TaskState {
  return {
    ...{ id: taskId, ttlMs, pollIntervalMs },
    ...{ createdAt: Date.parse(at), expiresAt: Date.parse(expiresAt), askedKeys: [], askedAt: null },
    // The call itself has sent the answers of earlier rounds.
    deliveredRound: input?.round ?? 0,
  };
}

export function withQuestions(
  task: TaskState,
  { questions, at }: Pick<Extract<ExecutionEvent, { type: "input.requested" }>, "questions" | "at">,
): TaskState {
  return { ...task, askedKeys: [...task.askedKeys, ...questions.map(({ key }) => key)], askedAt: Date.parse(at) };
}

/** Returns whether a server may still be working on the task of the call. */
export function hasOpenTask(call: CallState): boolean {
  return call.task !== null && !isClosed(call) && call.status !== "waiting_fallback";
}

/** Returns whether the call is waiting for its task, and not for a person. */
export function isWaitingForTask({ status }: CallState): boolean {
  return status === "waiting_task";
}

/** Returns the next request about the task of a call; undefined if none is due. */
export function taskStepOf(state: ExecutionState, call: CallState): TaskStep | undefined {
  if (call.task === null || !hasOpenTask(call)) return undefined;
  if (isClosing(state) || call.input?.status === "expired") return "cancel";
  if (isWaitingForInput(call)) return "poll";
  return (call.input?.round ?? 0) > call.task.deliveredRound ? "deliver" : "poll";
}
