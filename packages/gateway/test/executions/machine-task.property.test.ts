import { DEFAULT_LIMITS } from "@yagate/protocol";
import fc from "fast-check";
import { expect, it } from "vitest";
import { breachesOfEnd } from "./machine-end-laws.ts";
import { MachineHistory } from "./machine-history.ts";
import { breaches } from "./machine-laws.ts";
import {
  type AfterFallback,
  type Answer,
  type Move,
  type Scene,
  TASKING,
  TOOLS,
  type ToolName,
} from "./machine-moves.ts";

const RUNS = 300;
const place = fc.nat(3);

const answer: fc.Arbitrary<Answer> = fc.oneof(
  { weight: 2, arbitrary: fc.record({ how: fc.constant("continues" as const), size: fc.constant(1) }) },
  {
    weight: 9,
    arbitrary: fc.record({ how: fc.constant("asks" as const), questions: fc.constant(2), size: fc.constant(1) }),
  },
  { weight: 1, arbitrary: fc.record({ how: fc.constantFrom("down" as const, "timeout" as const) }) },
  { weight: 1, arbitrary: fc.constant({ how: "result" as const, size: 1 }) },
);

const move: fc.Arbitrary<Move> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({ type: fc.constant("answer" as const), place, answer, costUsd: fc.constantFrom(0, 0.1) }),
  },
  {
    weight: 8,
    arbitrary: fc.record({
      type: fc.constant("input" as const),
      place,
      isTooLate: fc.constantFrom(false, false, false, false, false, true),
      isStale: fc.constantFrom(false, false, false, true),
      next: fc.constantFrom<AfterFallback>("noticed", "noticed", "noticed", "unnoticed", "unnoticed", "cancelled"),
    }),
  },
  { weight: 4, arbitrary: fc.constant({ type: "wake" as const, isPatient: false }) },
  { weight: 2, arbitrary: fc.record({ type: fc.constant("suspend" as const), downMs: fc.constantFrom(0, 5_000) }) },
  {
    weight: 2,
    arbitrary: fc.record({
      type: fc.constant("crash" as const),
      times: fc.constant(1),
      isBeforeCommit: fc.boolean(),
      downMs: fc.constantFrom(0, 5_000, 700_000_000),
    }),
  },
  { weight: 1, arbitrary: fc.record({ type: fc.constant("stale" as const), place }) },
  { weight: 1, arbitrary: fc.record({ type: fc.constant("cancel" as const), isNoticed: fc.boolean() }) },
);

const names: readonly ToolName[] = Object.keys(TOOLS).filter((name): name is keyof typeof TOOLS => TASKING.has(name));

const scene: fc.Arbitrary<Scene> = fc.record({
  tools: fc.constant(names),
  moves: fc
    .tuple(
      fc.array(fc.record({ tool: fc.nat(1) }), { minLength: 1, maxLength: 3 }),
      fc.array(move, { maxLength: 50, size: "max" }),
    )
    .map(([calls, moves]): readonly Move[] => [
      { type: "model", calls, finishReason: "tool_calls" },
      { type: "answer", place: 0, answer: { how: "continues", size: 1 }, costUsd: 0 },
      ...moves,
    ]),
  limits: fc.constantFrom(DEFAULT_LIMITS, { ...DEFAULT_LIMITS, maxWallTimeMs: 5_000 }),
  fallbackWaitMs: fc.constantFrom(null, 5_000),
  random: fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
});

it("every rule holds and every call ends once, for all tasks, their questions and their ends", () => {
  const seen = new Map<string, number>();
  fc.assert(
    fc.property(scene, (one) => {
      const history = new MachineHistory(one).play(one.moves);
      expect(history.drain()).toBe(true);
      expect(history.breaches).toEqual([]);
      expect(breaches(history.log, history.config)).toEqual([]);
      expect(breachesOfEnd(history.log, history.config)).toEqual([]);
      for (const { type } of history.log) seen.set(type, (seen.get(type) ?? 0) + 1);
    }),
    { numRuns: RUNS },
  );
  // Histories are random: far fewer than usual would mean that the generator no longer reaches an event.
  for (const type of ["task.created", "input.requested", "input.delivered", "execution.cancelled"]) {
    expect(seen.get(type), type).toBeGreaterThan(RUNS / 30);
  }
});
