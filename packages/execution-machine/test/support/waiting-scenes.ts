import { DEFAULT_LIMITS } from "@yagate/protocol";
import fc from "fast-check";
import { expect } from "vitest";
import { breachesOfEnd } from "../laws/end-laws.ts";
import { breaches } from "../laws/laws.ts";
import { MachineHistory } from "./history.ts";
import { type AfterFallback, type Answer, type Move, type Scene, TOOLS, type ToolName } from "./moves.ts";

const place = fc.nat(3);
const downMs = fc.constantFrom(0, 5_000);

/** The scenes of one model turn, whose calls wait for a person or for the task of a server. */
export interface WaitingScenes {
  /** The names of the tools that the model calls. */
  readonly tools: ReadonlySet<string>;
  readonly answer: fc.Arbitrary<Answer>;
  /** Moves that come right after the model's. */
  readonly first?: readonly Move[];
}

/** Draws scenes in which answers of servers and of people, time and the ends of processes come in any order. */
export function waitingScene({ tools, answer, first = [] }: WaitingScenes): fc.Arbitrary<Scene> {
  const names: readonly ToolName[] = Object.keys(TOOLS).filter((name): name is keyof typeof TOOLS => tools.has(name));
  return fc.record({
    tools: fc.constant(names),
    moves: fc
      .tuple(
        fc.array(fc.record({ tool: fc.nat(names.length - 1) }), { minLength: 1, maxLength: 3 }),
        fc.array(moveOf(answer), { maxLength: 50, size: "max" }),
      )
      .map(([calls, moves]): readonly Move[] => [
        { type: "model", calls, finishReason: "tool_calls" },
        ...first,
        ...moves,
      ]),
    limits: fc.constantFrom(DEFAULT_LIMITS, { ...DEFAULT_LIMITS, maxWallTimeMs: 5_000 }),
    fallbackWaitMs: fc.constantFrom(null, 5_000),
    random: fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
  });
}

/**
 * Plays scenes to their ends and checks every law.
 *
 * @returns for each type of event, how many of the histories contain it.
 */
export function playToEnds(scene: fc.Arbitrary<Scene>, numRuns: number): ReadonlyMap<string, number> {
  const histories = new Map<string, number>();
  fc.assert(
    fc.property(scene, (one) => {
      const history = new MachineHistory(one).play(one.moves);
      expect(history.drain()).toBe(true);
      expect(history.breaches).toEqual([]);
      expect(breaches(history.log, history.config)).toEqual([]);
      expect(breachesOfEnd(history.log, history.config)).toEqual([]);
      const types = new Set(history.log.map(({ type }) => type));
      for (const type of types) histories.set(type, (histories.get(type) ?? 0) + 1);
    }),
    { numRuns },
  );
  return histories;
}

function moveOf(answer: fc.Arbitrary<Answer>): fc.Arbitrary<Move> {
  return fc.oneof(
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
    { weight: 2, arbitrary: fc.record({ type: fc.constant("suspend" as const), downMs }) },
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
}
