import type { ExecutionEvent } from "@yagate/protocol";
import { describe, expect, it } from "vitest";
import { EventNarrator } from "../../src/gateway/live-log/event-narrator.ts";

const EXECUTION = "exec_01hzy3v9k2m4n6p8q0r2s4t6v8";
const CALL = "tc_01hzy3v9k2m4n6p8q0r2s4t6v8";
const ERROR = { code: "TIMEOUT", message: "no response within 10 s", toolName: "lookup_order", toolCallId: CALL };
const TOOL_ERROR = { ...ERROR, retryable: false, outcome: "unknown", attempts: 1, source: "gateway" } as const;
const USAGE = { inputTokens: 10, outputTokens: 5, toolCalls: 1 };
const COST = { usd: 0.0004, credits: 0 };
const START = "2026-11-20T12:00:00.000Z";

/** An event of the execution, some ms after its start, with the fields that the log reads. */
function event(afterMs: number, fields: object): ExecutionEvent {
  const at = new Date(Date.parse(START) + afterMs).toISOString();
  const one: object = { seq: 1, at, executionId: EXECUTION, toolCallId: CALL, turn: 1, attempt: 1, ...fields };
  return one as ExecutionEvent;
}

const requested = event(0, { type: "tool_call.requested", name: "lookup_order" });

/** The last of these events, described after the others. */
function describeLast(...events: readonly ExecutionEvent[]) {
  const narrator = new EventNarrator();
  return events.map((one) => narrator.describe(one, "Order desk")).at(-1);
}

describe("a line of the live log", () => {
  it.each([
    [
      "a start, with the beginning of the input",
      [event(0, { type: "execution.started", input: "x".repeat(100) })],
      "step",
      `Order desk starts: "${"x".repeat(59)}…"`,
    ],
    [
      "a model turn that calls tools, with its duration since the request",
      [
        event(0, { type: "model.requested", model: "openai/gpt-5-mini" }),
        event(1_250, { type: "model.responded", text: "", toolCalls: [{ name: "a" }, { name: "b" }], usage: USAGE }),
      ],
      "step",
      "openai/gpt-5-mini → calls a, b, 15 tokens, 1.3 s",
    ],
    [
      "an attempt that succeeded",
      [requested, event(9, { type: "attempt.finished", httpStatus: 200, durationMs: 23.4, number: 1 })],
      "step",
      "lookup_order → 200 23 ms",
    ],
    [
      "an attempt whose result comes by callback",
      [requested, event(9, { type: "attempt.finished", httpStatus: 202, durationMs: 5, number: 1, isPending: true })],
      "step",
      "lookup_order → 202 5 ms, its callback will deliver the result",
    ],
    [
      "a result by fallback",
      [requested, event(9, { type: "tool_call.completed", result: 1, via: "fallback", cost: COST })],
      "step",
      "lookup_order → result from the fallback",
    ],
    [
      "a built-in tool, which has no attempts",
      [requested, event(9, { type: "tool_call.completed", result: 1, cost: COST })],
      "step",
      "lookup_order → done",
    ],
    [
      "the end, with duration, calls and cost",
      [
        event(0, { type: "execution.started", input: "x" }),
        event(12_345, { type: "execution.completed", usage: USAGE, cost: COST }),
      ],
      "done",
      "completed in 12.3 s, 1 tool call, 0.0004 USD",
    ],
    [
      "a limit",
      [event(0, { type: "limit.reached", limit: "maxTurns", message: "8 model turns were used" })],
      "failed",
      "maxTurns reached: 8 model turns were used",
    ],
    [
      "an event of an execution whose start this process has not seen",
      [event(0, { type: "tool_call.completed", result: 1, cost: COST })],
      "step",
      `${CALL} → done`,
    ],
  ])("describes %s", (_name, events, kind, text) => {
    expect(describeLast(...events)).toMatchObject({ kind, text, id: EXECUTION });
  });

  it("says of a failed attempt with which code, which attempt and when the next one starts", () => {
    const retryAt = new Date(Date.parse(START) + 1_000).toISOString();
    const attempt = { type: "attempt.finished", httpStatus: 503, errorCode: "HANDLER_ERROR", durationMs: 5, number: 2 };
    const time = new Date(retryAt).toTimeString().slice(0, 8);
    expect(describeLast(requested, event(9, { ...attempt, retryAt }))).toMatchObject({
      kind: "failed",
      text: `lookup_order → 503 HANDLER_ERROR 5 ms (attempt 2, next attempt at ${time})`,
    });
  });

  it("says of a failed call its cause, what a developer can do, and the page", () => {
    const error = { ...TOOL_ERROR, developerMessage: "connected after 3 s, then silence" };
    expect(describeLast(requested, event(9, { type: "tool_call.failed", error }))).toMatchObject({
      kind: "failed",
      text: "TIMEOUT lookup_order: no response within 10 s",
      details: [
        "cause: connected after 3 s, then silence",
        expect.stringMatching(/^Try: make the handler faster/),
        expect.stringMatching(/errors.*#TIMEOUT$/),
      ],
    });
  });

  it("gives no advice for a code that the handler chose, even if it is one of the gateway's", () => {
    const error = { ...TOOL_ERROR, source: "handler" };
    expect(describeLast(requested, event(9, { type: "tool_call.failed", error }))).toMatchObject({ details: [] });
  });

  it("names the commands that decide an approval", () => {
    const approvalId = "apr_01hzy3v9k2m4n6p8q0r2s4t6v8";
    const expiresAt = "2026-11-27T12:00:00.000Z";
    const entry = describeLast(requested, event(9, { type: "approval.requested", approvalId, expiresAt }));
    expect(entry).toMatchObject({ kind: "waiting", text: `lookup_order waits for an approval until ${expiresAt}` });
    expect(entry?.details.map((line) => line.split(" approvals ")[1])).toEqual(
      ["show", "approve", "deny"].map((verb) => `${verb} ${approvalId}`),
    );
  });

  it("names the commands that answer a question, with their round", () => {
    const expiresAt = "2026-11-27T12:00:00.000Z";
    const questions = [{ key: "colour", mode: "form", message: "Which colour?", schema: { type: "object" } }];
    const entry = describeLast(requested, event(9, { type: "input.requested", round: 2, questions, expiresAt }));
    expect(entry).toMatchObject({ kind: "waiting", text: `lookup_order waits for input until ${expiresAt}` });
    const [asked, show, ...answers] = entry?.details ?? [];
    expect(asked).toBe("asks: Which colour?");
    expect(show).toContain(" inputs show ");
    expect(answers.map((line) => line.split(" --round ")[1])).toEqual(["2 --content '{ … }'", "2 --decline"]);
  });

  it("says nothing about a result after the attempt that brought it", () => {
    const finished = event(9, { type: "attempt.finished", httpStatus: 200, durationMs: 5, number: 1 });
    const completed = event(10, { type: "tool_call.completed", result: 1, via: "handler", cost: COST });
    expect(describeLast(requested, finished, completed)).toBeUndefined();
  });
});
