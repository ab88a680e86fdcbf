import { MAX_INPUT_ROUNDS } from "@yagate/protocol";
import { runningAttempt } from "../../src/state.ts";
import { callIn, is, isClosing, type Law } from "./law.ts";

/** What holds for the questions of tools. */
export const INPUT_LAWS: Readonly<Record<string, Law>> = {
  "input is requested after an attempt that required it, round by round": ({ before, event }) => {
    if (!is(event, "input.requested")) return;
    const call = callIn(before, event.toolCallId);
    if (call === undefined || runningAttempt(call) !== undefined) return "an attempt is running";
    if (call.task === null && call.attempts.at(-1)?.input !== "required") return "the last attempt did not";
    if (isClosing(before)) return "the execution is ending";
    if (call.input?.status === "pending") return "the round before is open";
    return (event.round !== (call.input?.round ?? 0) + 1 || event.round > MAX_INPUT_ROUNDS) && `round ${event.round}`;
  },

  "the answers of a round are received once, in time": ({ before, event, at }) => {
    if (!is(event, "input.received")) return;
    const call = callIn(before, event.toolCallId);
    if (call?.status !== "waiting_input" || call.input?.round !== event.round) return `the call is ${call?.status}`;
    return (call.input.status !== "pending" || at >= call.input.expiresAt || isClosing(before)) && "too late";
  },

  "a question is withdrawn only by its expiry, by the end, or with its task": ({ before, event, at }) => {
    if (!is(event, "input.withdrawn")) return;
    const { input = null, task = null } = callIn(before, event.toolCallId) ?? {};
    if (input?.status !== "pending" || input.round !== event.round) return `it was ${input?.status}`;
    if (event.status === "expired") return at < input.expiresAt && "there was time left";
    return !isClosing(before) && task === null && "nothing ended it";
  },

  "a call with an open question sends nothing and does not end": ({ before, event }) => {
    if (!is(event, "attempt.started", "tool_call.completed", "tool_call.failed")) return;
    return callIn(before, event.toolCallId)?.input?.status === "pending" && "its question is open";
  },

  "a call fails for want of answers only if its question expired": ({ before, event }) => {
    if (!is(event, "tool_call.failed") || event.error.code !== "INPUT_EXPIRED") return;
    const status = callIn(before, event.toolCallId)?.input?.status;
    return status !== "expired" && `it was ${status}`;
  },
};
