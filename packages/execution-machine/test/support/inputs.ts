import { MAX_INPUT_ROUNDS, type ModelCall } from "@yagate/protocol";
import type { Failure, TaskOutcome } from "../../src/call-outcome.ts";
import type { Effect } from "../../src/effects.ts";
import { continuationOf } from "../../src/input-state.ts";
import type { MachineInput } from "../../src/inputs.ts";
import { resumptionOf } from "../../src/resumption.ts";
import { NETWORK_DOWN, TIMED_OUT } from "./machine-world.ts";
import { type Answer, ASKING, TASKING } from "./moves.ts";

type CallEffect = Exclude<Effect, { type: "model" }>;

/** The key of the effect that an input ends. */
export function keyOf(input: MachineInput): string | undefined {
  switch (input.type) {
    case "model_responded":
    case "model_failed":
      return `model:${input.turn}:${input.attempt}`;
    case "attempt_finished":
      return input.attemptId;
    case "inline_finished":
      return `inline:${input.toolCallId}`;
    default:
      return undefined;
  }
}

const FAILURES = {
  down: NETWORK_DOWN,
  timeout: TIMED_OUT,
  cancelled: { ...TIMED_OUT, code: "CANCELLED", isRetryable: false },
  said_no: { ...NETWORK_DOWN, code: "OUT_OF_STOCK", source: "handler", isRetryable: false },
} as const satisfies Record<Exclude<Answer["how"], "result" | "pending" | "asks" | "forgets" | "continues">, Failure>;

/** Whether an outcome defers the result to a callback. */
export function isDeferred({ call }: CallEffect, answer: Answer): boolean {
  return answer.how === "pending" && call.callbackUntil !== null;
}

/** What a tool says instead of a result that requires input, or has forgotten that it did, or its response; undefined otherwise. */
export function inputOutcome({ type, call }: CallEffect, answer: Answer) {
  if (type === "attempt" && answer.how === "forgets" && resumptionOf(call) !== undefined) {
    return { resumptionLost: true as const };
  }
  if (type === "attempt" && TASKING.has(call.name) && answer.how === "continues") {
    return { task: { id: `task of ${call.id}`, ttlMs: null, pollIntervalMs: 1_000 } };
  }
  if (type !== "attempt" || !ASKING.has(call.name)) return undefined;
  if (answer.how === "forgets" && continuationOf(call) !== undefined) return { inputExpired: true as const };
  if (answer.how !== "asks") return undefined;
  const questions = Array.from({ length: answer.questions }, (_none, index) => ({
    ...{ key: `q${index}`, mode: "form" as const, message: "Which?" },
    schema: { type: "object", properties: {} },
  }));
  return { inputRequired: { questions, requestState: `state of ${call.attempts.length}` } };
}

/** Whether a report about a task ends the call with a result. */
export function isTaskResult(effect: CallEffect, { how }: Answer): boolean {
  return effect.type === "task" && effect.step === "poll" && (how === "result" || how === "continues");
}

/** What a server says about a task: a question has a key of its own round. */
function taskOutcome(effect: Extract<Effect, { type: "task" }>, answer: Answer): TaskOutcome {
  const { call, step } = effect;
  const round = call.input?.round ?? 0;
  if (step === "cancel") return { isCancelled: true };
  if (step === "deliver") return { deliveredRound: round };
  if (answer.how === "asks" && round < MAX_INPUT_ROUNDS) {
    return {
      questions: [0, 1].map((index) => ({
        ...{ key: `q${round}_${index}`, mode: "form" as const, message: "Which?" },
        schema: { type: "object", properties: {} },
      })),
    };
  }
  if (!("size" in answer)) return { failure: FAILURES[answer.how] };
  return isTaskResult(effect, answer) ? { result: "r".repeat(answer.size) } : { failure: FAILURES.said_no };
}

function sampleOf(cost: ModelCall["cost"]): ModelCall {
  const usage = { inputTokens: 7, outputTokens: 5 };
  const startedAt = "2026-11-21T06:00:00.000Z";
  return { model: "openai/gpt-5", startedAt, durationMs: 5, requests: 1, usage, cost, finishReason: "stop" };
}

/** What a process reports of a call. */
export function toInput(effect: CallEffect, answer: Answer, cost: { usd: number; credits: number }): MachineInput {
  const toolCallId = effect.call.id;
  if (effect.type === "inline") {
    // What a call finds depends on its result, so that calls find some tools again.
    const outcome =
      "size" in answer
        ? { result: "r".repeat(answer.size), foundTools: [`found_${answer.size}`, "found_40"] }
        : { failure: FAILURES[answer.how] };
    // What costs something inside the gateway is what a tool asks of the model.
    const modelCalls = cost.usd === 0 ? [] : [sampleOf(cost)];
    return { type: "inline_finished", toolCallId, outcome, cost: { usd: 0, credits: 0 }, modelCalls };
  }
  if (effect.type === "task") return { type: "task_reported", toolCallId, outcome: taskOutcome(effect, answer) };
  const outcome = isDeferred(effect, answer)
    ? { pending: true as const }
    : (inputOutcome(effect, answer) ??
      ("size" in answer
        ? { result: "r".repeat(answer.size) }
        : {
            failure: {
              ...FAILURES[answer.how],
              ...(answer.retryAfterMs === undefined ? {} : { retryAfterMs: answer.retryAfterMs }),
            },
          }));
  return {
    type: "attempt_finished",
    toolCallId,
    attemptId: effect.key,
    outcome,
    durationMs: 5,
    timings: { dns: 1, connect: 1, tls: null, firstByte: 2 },
    requestBytes: 10,
    responseBytes: 10,
    ...(answer.how === "said_no" ? { httpStatus: 200 } : {}),
    cost,
  };
}
