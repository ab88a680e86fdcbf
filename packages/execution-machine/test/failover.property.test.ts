import type { ExecutionEvent } from "@yagate/protocol";
import fc from "fast-check";
import { expect, it } from "vitest";
import { advance } from "../src/advance.ts";
import type { Failure } from "../src/call-outcome.ts";
import { outstanding, wakeAt } from "../src/effects.ts";
import { type ExecutionConfig, toolKey } from "../src/execution-config.ts";
import { fold } from "../src/fold.ts";
import type { MachineInput } from "../src/inputs.ts";
import { type ExecutionState, initialState } from "../src/state.ts";
import { NETWORK_DOWN, planWith, TIMED_OUT } from "./support/machine-world.ts";

const KEYS = ["a", "b", "c"] as const;
const SIDE_EFFECTS = ["read_only", "idempotent_write", "non_idempotent_write", null] as const;
/** The response with which a capability reports that it has failed; it may have written before. */
const ANSWERED_503 = { ...NETWORK_DOWN, code: "HANDLER_ERROR", message: "the tool failed" };
const SHARED = { ...NETWORK_DOWN, code: "INVALID_ARGUMENTS", message: "no such order" };

const FAILURES: Readonly<Record<string, Failure>> = {
  ...{ down: NETWORK_DOWN, timeout: TIMED_OUT, shared: SHARED, answered: ANSWERED_503 },
  handler: { ...NETWORK_DOWN, code: "TIMEOUT", message: "the bank is slow", source: "handler" },
};

const capability = (key: string) => ({ key, version: "1" });

/** What each capability is, and how its runs end, one after another; then they have a result. */
const sceneOf = fc.record({
  traits: fc.array(
    fc.record({
      executor: fc.constantFrom("attempts" as const, "inline" as const),
      sideEffect: fc.constantFrom(...SIDE_EFFECTS),
      retries: fc.integer({ min: 0, max: 2 }),
    }),
    { minLength: KEYS.length, maxLength: KEYS.length },
  ),
  ends: fc.array(
    fc.constantFrom(
      ...(["down", "timeout", "shared", "result", "crash"] as const),
      ...(["answered", "handler"] as const),
    ),
    {
      maxLength: 12,
    },
  ),
});

type Scene = typeof sceneOf extends fc.Arbitrary<infer One> ? One : never;

function configOf({ traits }: Scene): ExecutionConfig {
  const tools = KEYS.map((key, index) => [
    toolKey({ name: "search", capability: capability(key) }),
    traits[index] ?? {},
  ]);
  return planWith(Object.fromEntries(tools), {
    nextCapability: (_state, call) => {
      const tried = [...(call.triedCapabilities ?? []), call.capability?.key];
      const key = KEYS.find((one) => !tried.includes(one));
      if (key === undefined) return undefined;
      const sideEffect = traits[KEYS.indexOf(key)]?.sideEffect ?? null;
      const policyDecision = { decision: "allowed" as const, reason: "test" };
      return { to: capability(key), kind: "handler", sideEffect, risk: null, policyDecision };
    },
  });
}

/** Plays a scene to its end. After a crash, the next process folds the log. */
function play(scene: Scene) {
  const config = configOf(scene);
  const log: ExecutionEvent[] = [];
  let state: ExecutionState = initialState(config.executionId);
  let now = Date.parse("2026-11-29T06:00:00.000Z");
  let ids = 0;
  const feed = (...inputs: MachineInput[]) => {
    const environment = { now, random: () => 0.5, newAttemptId: () => `att_${++ids}` };
    const step = advance(state, inputs, config, environment);
    log.push(...step.events);
    state = step.state;
  };
  const outcomeOf = (end: string | undefined) => {
    const failure = end === undefined ? undefined : FAILURES[end];
    return failure === undefined ? { result: "found" } : { failure };
  };
  feed({ type: "tick" });
  const ends = [...scene.ends];
  for (let step = 0; step < 200 && state.finishedAt === null; step += 1) {
    const [effect] = outstanding(state, config);
    if (effect === undefined) {
      now = Math.max(now + 1, wakeAt(state, config, now) ?? now + 1);
      feed({ type: "tick" });
      continue;
    }
    if (effect.type === "model") {
      const usage = { inputTokens: 1, outputTokens: 1 };
      const admission = {
        kind: "handler",
        sideEffect: scene.traits[0]?.sideEffect ?? null,
        risk: null,
        policyDecision: null,
      } as const;
      const call = { toolCallId: "tc_1", name: "search", parameters: {}, capability: capability("a"), admission };
      const calls = effect.turn === 1 ? [call] : [];
      const reply = {
        text: calls.length === 0 ? "done" : "",
        finishReason: "stop" as const,
        usage,
        cost: { usd: 0, credits: 0 },
      };
      feed({ type: "model_responded", turn: effect.turn, attempt: effect.attempt, calls, ...reply });
      continue;
    }
    const end = ends.shift();
    const cost = { usd: 0, credits: 1 };
    if (end === "crash") {
      state = log.reduce(fold, initialState(config.executionId));
      feed({ type: "recovered" });
    } else if (effect.type === "inline") {
      feed({ type: "inline_finished", toolCallId: effect.call.id, outcome: outcomeOf(end), cost });
    } else if (effect.type === "attempt") {
      const measures = {
        durationMs: 1,
        timings: { dns: null, connect: null, tls: null, firstByte: null },
        requestBytes: 1,
        responseBytes: 1,
      };
      feed({
        type: "attempt_finished",
        toolCallId: effect.call.id,
        attemptId: effect.key,
        outcome: outcomeOf(end),
        ...measures,
        ...(end === "answered" || end === "handler" ? { httpStatus: 503 } : {}),
        cost,
      });
    }
  }
  return { config, log, state };
}

it("a call moves through each capability at most once, and never after a write that may have taken effect", () => {
  const property = fc.property(sceneOf, (scene) => {
    const { config, log, state } = play(scene);
    expect(state.finishedAt).not.toBeNull();
    expect(log.reduce(fold, initialState(config.executionId))).toEqual(state);
    const moves = log.flatMap((event) => (event.type === "route.changed" ? [event] : []));
    expect(moves.map(({ from, to }) => [from.key, to.key])).toEqual(
      moves.map((_, index) => [KEYS[index], KEYS[index + 1]]),
    );
    for (const { seq, from, error } of moves) {
      expect(["NETWORK_ERROR", "TIMEOUT", "HANDLER_ERROR"]).toContain(error.code);
      const isRead = scene.traits[KEYS.indexOf(from.key as (typeof KEYS)[number])]?.sideEffect === "read_only";
      const since = Math.max(0, ...moves.filter((move) => move.seq < seq).map((move) => move.seq));
      const mayHaveTakenEffect = log.some(
        (event) =>
          event.type === "attempt.finished" &&
          event.seq < seq &&
          (event.outcome === "unknown" || (event.seq > since && event.httpStatus !== undefined)),
      );
      expect(isRead || (!mayHaveTakenEffect && error.code !== "TIMEOUT")).toBe(true);
    }
    // Every call ends once, at the capability that served it last.
    const ended = log.filter(({ type }) => type === "tool_call.completed" || type === "tool_call.failed");
    expect(ended).toHaveLength(1);
    const [call] = state.turns.flatMap(({ calls }) => calls);
    expect(call?.capability?.key).toBe(KEYS[moves.length]);
  });
  fc.assert(property, { numRuns: 500 });
});

it("the cost of a call is that of all capabilities that served it", () => {
  const property = fc.property(sceneOf, (scene) => {
    const { state } = play({ ...scene, ends: scene.ends.filter((end) => end !== "crash") });
    const [call] = state.turns.flatMap(({ calls }) => calls);
    const attempts = call?.attempts.length ?? 0;
    const inline = [...(call?.triedCapabilities ?? []), call?.capability?.key ?? ""].filter(
      (key) => scene.traits[KEYS.indexOf(key as (typeof KEYS)[number])]?.executor === "inline",
    );
    expect(call?.cost.credits).toBe(attempts + inline.length);
  });
  fc.assert(property, { numRuns: 300 });
});
