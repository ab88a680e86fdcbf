import { type ExecutionEvent, FINAL_EVENT_TYPES } from "@yagate/protocol";
import type { ExecutionConfig } from "../../src/execution-config.ts";
import { fold } from "../../src/fold.ts";
import { editNote, MAX_ERROR_CHARACTERS } from "../../src/result-tokens.ts";
import { type CallState, initialState, isClosed } from "../../src/state.ts";
import { errorText } from "../../src/tool-error.ts";

/** Everything wrong with a log that has come to its end. */
export function breachesOfEnd(log: readonly ExecutionEvent[], config: ExecutionConfig): readonly string[] {
  const state = log.reduce(fold, initialState(config.executionId));
  const found: string[] = [];
  const expect = (isTrue: boolean, words: string) => {
    if (!isTrue) found.push(words);
  };
  const calls = state.turns.flatMap((turn) => turn.calls);
  expect(FINAL_EVENT_TYPES.has(log.at(-1)?.type ?? ""), "the last event is not an end");
  expect(state.runningSince === null, "the clock still runs");
  expect(calls.every(isClosed), "a call has not ended");
  expect(
    calls.every((call) => endsOf(log, call.id) === 1),
    "a call did not end exactly once",
  );
  expect(
    calls.flatMap(({ attempts }) => attempts).every(({ isFinished }) => isFinished),
    "an attempt has no end",
  );
  expect(
    calls.every(({ approval }) => approval?.status !== "pending"),
    "a person is still asked",
  );
  expect(
    calls.every(({ input }) => input?.status !== "pending"),
    "a question is still open",
  );
  expect(state.toolResultTokens === tokensOf(calls), "what the model reads was not counted");
  expect(state.usage.toolCalls === calls.length, "not every call was counted");
  const paid = log.reduce((sum, event) => sum + (event.type === "model.responded" ? event.cost.usd : 0), 0);
  const tools = calls.reduce((sum, { cost }) => sum + cost.usd, 0);
  expect(Math.abs(state.cost.usd - paid - tools) < 1e-9, "the cost is not the sum of its parts");
  const asked = log.flatMap((event) => (isEndOfCall(event) ? (event.modelCalls ?? []) : []));
  const answers = log.flatMap((event) => (event.type === "model.responded" ? [event] : []));
  const tokens = [...answers, ...asked].reduce((sum, { usage }) => sum + usage.outputTokens, 0);
  expect(state.usage.outputTokens === tokens, "the tokens are not those of the turns and of what tools asked");
  expect((state.stopReason === "error") === (state.error !== null), "an error without a failure, or the other way");
  const { stopReason, limitReached, output } = state;
  const isEndOfModel = ["final", "refused", "truncated", "empty"].includes(stopReason ?? "");
  if (state.status === "completed" && !isEndOfModel) {
    expect(limitReached?.limit === stopReason, "another limit was reached than the one that stopped it");
    expect(output?.text.includes(`(${stopReason})`) === true, "the text does not name the limit");
  }
  return found;
}

function tokensOf(calls: readonly CallState[]): number {
  const read = calls.flatMap((call) => {
    const { status, result = null, error } = call;
    const text =
      status === "completed" || error === null
        ? JSON.stringify(result)
        : errorText(error).slice(0, MAX_ERROR_CHARACTERS);
    return [text, editNote(call)];
  });
  return read.reduce((sum, text) => sum + Math.ceil(text.length / 4), 0);
}

function endsOf(log: readonly ExecutionEvent[], toolCallId: string): number {
  return log.filter(
    (event) =>
      (event.type === "tool_call.completed" ||
        event.type === "tool_call.denied" ||
        (event.type === "tool_call.failed" && event.fallbackUntil === undefined)) &&
      event.toolCallId === toolCallId,
  ).length;
}

type EndOfCall = Extract<ExecutionEvent, { type: "tool_call.completed" | "tool_call.failed" }>;

function isEndOfCall(event: ExecutionEvent): event is EndOfCall {
  return event.type === "tool_call.completed" || event.type === "tool_call.failed";
}
