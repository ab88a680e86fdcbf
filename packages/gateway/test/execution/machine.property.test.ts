import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { wakeAt } from "../../src/execution/machine/effects.ts";
import { fold } from "../../src/execution/machine/fold.ts";
import type { ToolTraits } from "../../src/execution/machine/plan.ts";
import { initialState, isClosed } from "../../src/execution/machine/state.ts";
import { ADMITTED, limitsWith, MachineWorld, NETWORK_DOWN, planWith, TIMED_OUT } from "./machine-world.ts";

const TRAITS: Record<string, Partial<ToolTraits>> = {
  read: { sideEffect: "read_only", retries: 2 },
  write: { sideEffect: "non_idempotent_write", retries: 3 },
  plain: {},
  patient: { retries: 2 },
};

type Move =
  | { type: "model"; calls: readonly string[] }
  | { type: "model_fails"; isRetryable: boolean }
  | { type: "answer"; index: number; how: "result" | "down" | "timeout" }
  | { type: "wake" }
  | { type: "crash" }
  | { type: "cancel" }
  | { type: "fallback"; isDeclined: boolean };

const move: fc.Arbitrary<Move> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      type: fc.constant("model" as const),
      calls: fc.array(fc.constantFrom(...Object.keys(TRAITS)), { maxLength: 4 }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ type: fc.constant("model_fails" as const), isRetryable: fc.boolean() }) },
  {
    weight: 6,
    arbitrary: fc.record({
      type: fc.constant("answer" as const),
      index: fc.nat(5),
      how: fc.constantFrom("result" as const, "down" as const, "timeout" as const),
    }),
  },
  { weight: 3, arbitrary: fc.constant({ type: "wake" as const }) },
  { weight: 2, arbitrary: fc.constant({ type: "crash" as const }) },
  { weight: 1, arbitrary: fc.constant({ type: "cancel" as const }) },
  { weight: 1, arbitrary: fc.record({ type: fc.constant("fallback" as const), isDeclined: fc.boolean() }) },
);

/** Sends counted where the bytes would leave: an effect is started once per process, as the runner does it. */
function play(moves: readonly Move[]) {
  const world = new MachineWorld(
    planWith(TRAITS, { fallbackWaitMs: 5_000, limits: limitsWith({ maxToolIterations: 4 }) }),
  );
  const sends = new Map<string, string[]>();
  const note = () => {
    for (const effect of world.effects) {
      if (effect.type !== "attempt") continue;
      const known = sends.get(effect.call.id) ?? [];
      if (!known.includes(effect.key)) sends.set(effect.call.id, [...known, effect.key]);
    }
  };
  world.start();
  for (const next of moves) {
    make(world, next);
    note();
  }
  for (let guard = 0; world.state.finishedAt === null && guard < 500; guard += 1) {
    drain(world);
    note();
  }
  return { world, sends };
}

function make(world: MachineWorld, next: Move): void {
  const calls = world.effects.filter((effect) => effect.type !== "model");
  const isAsking = world.effects.some((effect) => effect.type === "model");
  switch (next.type) {
    case "model":
      if (isAsking)
        world.model(
          "words",
          next.calls.map((name) => ({
            name,
            admission: { ...ADMITTED, sideEffect: TRAITS[name]?.sideEffect ?? null },
          })),
        );
      return;
    case "model_fails":
      if (isAsking) world.modelFails({ isRetryable: next.isRetryable });
      return;
    case "answer": {
      const effect = calls[next.index % Math.max(1, calls.length)];
      if (effect === undefined) return;
      const failure = next.how === "down" ? NETWORK_DOWN : TIMED_OUT;
      world.answer(effect, next.how === "result" ? { result: "r" } : { failure });
      return;
    }
    case "wake":
      world.wake();
      return;
    case "crash":
      world.restart();
      return;
    case "cancel":
      world.order({ type: "cancel" });
      world.feed({ type: "tick" });
      return;
    case "fallback": {
      const held = world.state.turns.at(-1)?.calls.find((call) => call.status === "waiting_fallback");
      if (held === undefined) return;
      world.order({ type: "fallback", toolCallId: held.id, answer: next.isDeclined ? "decline" : { result: "f" } });
      world.feed({ type: "tick" });
    }
  }
}

function drain(world: MachineWorld): void {
  const [effect] = world.effects;
  if (effect?.type === "model") world.model("the end");
  else if (effect !== undefined) world.answer(effect, { result: "late" });
  else world.wake();
}

describe("whatever happens in whatever order", () => {
  it("an execution ends, every call of every turn with exactly one answer", () => {
    fc.assert(
      fc.property(fc.array(move, { maxLength: 40 }), (moves) => {
        const { world } = play(moves);
        expect(world.state.finishedAt).not.toBeNull();
        for (const call of world.state.turns.flatMap((turn) => turn.calls)) {
          expect(isClosed(call)).toBe(true);
          const ends = world.events.filter(
            (event) =>
              "toolCallId" in event &&
              event.toolCallId === call.id &&
              (event.type === "tool_call.completed" ||
                event.type === "tool_call.denied" ||
                (event.type === "tool_call.failed" && event.fallbackUntil === undefined)),
          );
          expect(ends).toHaveLength(1);
        }
      }),
      { numRuns: 400 },
    );
  });

  it("the log alone gives the state, at every length of it", () => {
    fc.assert(
      fc.property(fc.array(move, { maxLength: 40 }), (moves) => {
        const { world } = play(moves);
        expect(world.events.reduce(fold, initialState("exec_1"))).toEqual(world.state);
      }),
      { numRuns: 200 },
    );
  });

  it("a write whose outcome is unknown is never sent again", () => {
    fc.assert(
      fc.property(fc.array(move, { maxLength: 40 }), (moves) => {
        const { world, sends } = play(moves);
        for (const call of world.state.turns.flatMap((turn) => turn.calls)) {
          if (call.sideEffect !== "non_idempotent_write" && call.name !== "plain") continue;
          const unknown = call.attempts.findIndex((attempt) => attempt.outcome === "unknown");
          if (unknown >= 0) expect(call.attempts).toHaveLength(unknown + 1);
          expect(sends.get(call.id)?.length ?? 0).toBeLessThanOrEqual(call.attempts.length);
        }
      }),
      { numRuns: 400 },
    );
  });

  it("no step waits for nothing: something is under way or a moment is set until the end", () => {
    fc.assert(
      fc.property(fc.array(move, { maxLength: 40 }), (moves) => {
        const world = new MachineWorld(planWith(TRAITS, { fallbackWaitMs: 5_000 })).start();
        for (const next of moves) {
          make(world, next);
          if (world.state.finishedAt !== null) return;
          const isAlive = world.effects.length > 0 || wakeAt(world.state, world.now) !== undefined;
          expect(isAlive).toBe(true);
        }
      }),
      { numRuns: 400 },
    );
  });
});
