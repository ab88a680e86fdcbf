import { callIn, is, isClosing, type Law } from "./law.ts";

/** What holds for callbacks. */
export const CALLBACK_LAWS: Readonly<Record<string, Law>> = {
  "a callback is received once, in time, for a call that was attempted": ({ before, event, at }) => {
    if (!is(event, "callback.received")) return;
    const call = callIn(before, event.toolCallId);
    if (call === undefined || call.attempts.length === 0 || call.callbackUntil === null) return "nothing was begun";
    if (call.callback !== null || call.fallback !== null) return "another one was there first";
    return (at >= call.callbackUntil || isClosing(before)) && "too late";
  },

  "the outcome of a callback is the outcome of the call": ({ before, event }) => {
    if (!is(event, "tool_call.completed", "tool_call.failed")) return;
    const { callback = null } = callIn(before, event.toolCallId) ?? {};
    const hasReceivedResult = event.type === "tool_call.completed" && event.via === "callback";
    if (callback === null || callback.isTaken) return hasReceivedResult && "there was no callback";
    if ("result" in callback.outcome)
      return (!hasReceivedResult || event.result !== callback.outcome.result) && "another one";
    if (event.type === "tool_call.completed") return event.via !== "fallback" && "it was why it failed";
    return event.error.code !== callback.outcome.error.code && `${event.error.code}`;
  },

  "a callback ends the retries": ({ before, event }) =>
    is(event, "attempt.started") && callIn(before, event.toolCallId)?.callback !== null && "one more was begun",

  "a callback is awaited until the time that the first attempt names, and every attempt names the same": ({
    before,
    event,
    at,
  }) => {
    if (!is(event, "attempt.started", "tool_call.failed")) return;
    const call = callIn(before, event.toolCallId);
    if (is(event, "attempt.started")) {
      const until = call?.callbackUntil ?? null;
      return until !== null && Date.parse(event.callbackUntil ?? "") !== until && `${event.callbackUntil}`;
    }
    if (call?.status !== "waiting_callback" || call.callback !== null) return;
    if (event.error.outcome !== "unknown") return "its handler may be at work";
    return !isClosing(before) && at < (call.callbackUntil ?? 0) && "there was time left";
  },
};
