import { MAX_INPUT_ROUNDS } from "@yagate/protocol";
import type { Failure, RequiredInput } from "./call-outcome.ts";
import { type EventLog, toTimestamp } from "./event-log.ts";
import type { ExecutionConfig } from "./execution-config.ts";
import type { Command } from "./inputs.ts";
import { type CallState, isClosing, isWaitingForInput } from "./state.ts";
import { gatewayFailure } from "./tool-error.ts";

/** First delay before a tool is called again that requires no answers, in ms. It doubles with each round. */
const FIRST_POLL_MS = 1_000;

/** The failure of a call whose questions were not answered in time. */
export const INPUT_EXPIRED: Failure = gatewayFailure(
  "INPUT_EXPIRED",
  "no person answered the tool's questions in time",
);

/** Returns the number of the next round of a call. */
function nextRound({ input }: Pick<CallState, "input">): number {
  return (input?.round ?? 0) + 1;
}

/** Returns why a call may not require input again; undefined if it may. */
export function inputRefusal(call: Pick<CallState, "input">): Failure | undefined {
  if (nextRound(call) <= MAX_INPUT_ROUNDS) return undefined;
  return gatewayFailure("INPUT_REFUSED", `the tool required input in more than ${MAX_INPUT_ROUNDS} rounds`);
}

/** Returns when a tool that asks no questions is called again, in ms since the epoch. */
export function pollAt(log: EventLog, call: CallState, { questions }: RequiredInput): number | undefined {
  if (questions.length > 0 || isClosing(log.state)) return undefined;
  return log.now + FIRST_POLL_MS * 2 ** (nextRound(call) - 1);
}

/** Records that a call requires input. */
export function requestInput(log: EventLog, call: CallState, required: RequiredInput, config: ExecutionConfig): void {
  // A call that is about to end asks nothing.
  if (isClosing(log.state)) return;
  const { questions, requestState } = required;
  const expiresAt = Math.min(log.now + config.approvalExpiryMs, call.task?.expiresAt ?? Infinity);
  log.append({
    type: "input.requested",
    toolCallId: call.id,
    round: nextRound(call),
    questions: [...questions],
    ...(requestState === undefined ? {} : { requestState }),
    expiresAt: toTimestamp(expiresAt),
  });
}

/** Records a person's answers. Does nothing if the round is over. */
export function recordAnswers(
  log: EventLog,
  call: CallState | undefined,
  { round, answers, keyId }: Extract<Command, { type: "input" }>,
): void {
  if (call === undefined || !isWaitingForInput(call) || call.input?.round !== round) return;
  if (log.now >= call.input.expiresAt || isClosing(log.state)) return;
  log.append({ type: "input.received", toolCallId: call.id, round, answers, keyId });
}

/** Withdraws the call's questions if they are still open. */
export function withdrawInput(log: EventLog, call: CallState, status: "expired" | "cancelled"): void {
  if (!isWaitingForInput(call) || call.input === null) return;
  log.append({ type: "input.withdrawn", toolCallId: call.id, round: call.input.round, status });
}
