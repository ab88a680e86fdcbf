import { runningAttempt } from "../../src/state.ts";
import { hasOpenTask } from "../../src/task-state.ts";
import { callIn, is, isClosing, type Law } from "./law.ts";

/** What holds for the tasks in which servers continue calls. */
export const TASK_LAWS: Readonly<Record<string, Law>> = {
  "a task is created once, by the attempt that has just ended": ({ before, event }) => {
    if (!is(event, "task.created")) return;
    const call = callIn(before, event.toolCallId);
    if (call === undefined || runningAttempt(call) !== undefined) return "an attempt is running";
    return (call.task !== null || call.attempts.at(-1)?.errorCode !== undefined) && "it has one, or failed";
  },

  "a call with a task is not sent again": ({ before, event }) =>
    is(event, "attempt.started") && callIn(before, event.toolCallId)?.task !== null && "it has a task",

  "the answers of a round are delivered once, after they were received": ({ before, event }) => {
    if (!is(event, "input.delivered")) return;
    const { task = null, input = null } = callIn(before, event.toolCallId) ?? {};
    if (task === null || input?.status !== "answered" || input.round !== event.round) return `it was ${input?.status}`;
    return event.round <= task.deliveredRound && "twice";
  },

  "a question of a task has a key of its own": ({ before, event }) => {
    if (!is(event, "input.requested")) return;
    const asked = callIn(before, event.toolCallId)?.task?.askedKeys ?? [];
    return event.questions.some(({ key }) => asked.includes(key)) && "asked before";
  },

  "a call that is cancelled with its task has an unknown outcome": ({ before, event }) => {
    if (!is(event, "tool_call.failed") || !isClosing(before)) return;
    const call = callIn(before, event.toolCallId);
    const isByGateway = event.error.code === "CANCELLED" || event.error.code === "BUDGET_EXCEEDED";
    return call !== undefined && hasOpenTask(call) && isByGateway && event.error.outcome !== "unknown" && "surely none";
  },
};
