import { FINAL_EVENT_TYPES, type ReceivedEvent } from "@yagate/protocol";
import { type CallHistory, describeCall, isInterrupted } from "./call-history.ts";
import { toolNamed } from "./tools.ts";

/** A call that was interrupted more often is not sent again, so that it can't take the gateway down for ever. */
const MAX_INTERRUPTIONS = 3;

type Check = readonly [isKept: boolean, rule: string];

/** Which promises an execution's log breaks, one line each. */
export function brokenExecutionRules(executionId: string, events: readonly ReceivedEvent[]): readonly string[] {
  const ends = events.filter(({ type }) => FINAL_EVENT_TYPES.has(type));
  return broken(executionId, [
    [events.every(({ seq }, index) => seq === index + 1), "its events are numbered without a gap"],
    [ends.length === 1 && ends[0] === events.at(-1), "it ended once, and nothing came after"],
    [ends[0]?.type === "execution.completed", "it completed"],
  ]);
}

/**
 * Which promises a call breaks, by its journal and by what its service saw.
 *
 * @param options.mayNeverLeave - a call may also have failed before anything of it left: its connection was being made
 * for longer than one may take.
 */
export function brokenCallRules(call: CallHistory, { mayNeverLeave = false } = {}): readonly string[] {
  const { attempts, arrivals, ends, results } = call;
  const { isRepeatable, failsFirst } = toolNamed(call.name);
  const end = ends[0];
  const endedAt = end === undefined ? 0 : Date.parse(end.at);
  const isCompleted = end?.type === "tool_call.completed";
  const isUnknown = end?.type === "tool_call.failed" && end.error.code === "OUTCOME_UNKNOWN";
  const neverLeft = end?.type === "tool_call.failed" && end.error.outcome === "none" && arrivals.length === 0;
  const interruptions = attempts.filter(isInterrupted).length;
  const mayRepeat = isRepeatable && interruptions <= MAX_INTERRUPTIONS;
  return broken(describeCall(call), [
    [ends.length === 1 && call.isLastEventItsEnd, "it has one outcome, and nothing came after"],
    [
      attempts.every(({ number, end: report }, index) => number === index + 1 && report !== undefined),
      "every attempt has an end",
    ],
    [attempts.every(({ arrivals: count }) => count <= 1), "no attempt was sent twice"],
    [arrivals.every(({ attempt }) => attempt <= attempts.length), "nothing was sent that the journal does not know"],
    [arrivals.every(({ at }) => at <= endedAt), "nothing was sent after the journal said that it was finished"],
    [isRepeatable || failsFirst || arrivals.length <= 1, "what must not be repeated arrived at most once"],
    [
      isRepeatable || attempts.slice(0, -1).every(({ end: report }) => report?.outcome === "none"),
      "a write was repeated only after an answer that said it failed",
    ],
    [
      interruptions === 0 || (mayRepeat ? isCompleted : isUnknown),
      "an interrupted call was repeated and completed, or ended as unknown",
    ],
    [interruptions > 0 || isCompleted || (mayNeverLeave && neverLeft), "a call that nothing interrupted completed"],
    [results <= 1, "its function did its work at most once"],
    [!isCompleted || results === 1, "its result is one that its function gave"],
  ]);
}

function broken(subject: string, checks: readonly Check[]): readonly string[] {
  return checks.filter(([isKept]) => !isKept).map(([, rule]) => `${subject}: broken: ${rule}`);
}
