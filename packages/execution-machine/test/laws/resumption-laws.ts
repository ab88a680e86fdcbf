import { isRepeatable } from "../../src/execution-config.ts";
import { callIn, is, isClosing, type Law } from "./law.ts";

/** What holds for calls that an earlier attempt may have made, and whose response another process may be able to read. */
export const RESUMPTION_LAWS: Readonly<Record<string, Law>> = {
  "only the response to an interrupted attempt is resumed, if that was possible": ({ before, event }) => {
    if (!is(event, "attempt.started") || event.isResumption !== true) return;
    const call = callIn(before, event.toolCallId);
    if (call?.attempts.at(-1)?.isInterrupted !== true || isClosing(before)) return "it was not interrupted";
    return call.resumption === null && "it could not be resumed";
  },

  "a response can be resumed only while its attempt runs": ({ before, event }) => {
    if (!is(event, "attempt.resumable")) return;
    const attempt = callIn(before, event.toolCallId)?.attempts.at(-1);
    return (attempt?.id !== event.attemptId || attempt.isFinished) && "it does not run";
  },

  "only an attempt that reads a response can lose it": ({ before, event }) => {
    if (!is(event, "attempt.finished") || event.isResumptionLost !== true) return;
    return callIn(before, event.toolCallId)?.attempts.at(-1)?.isResumption !== true && "it called the tool";
  },

  "a call with an unknown outcome is repeated only if its author allows that": ({ before, event }, config) => {
    if (!is(event, "attempt.started") || event.isResumption === true) return;
    const call = callIn(before, event.toolCallId);
    const traits = config.tools.get(call?.name ?? "");
    // An attempt that resumes another one tells the outcome of both.
    const isUncertain = call?.attempts.some(
      ({ outcome }, index) => outcome === "unknown" && call.attempts[index + 1]?.isResumption !== true,
    );
    return isUncertain === true && (traits === undefined || !isRepeatable(traits)) && "it was not";
  },
};
