import type { JsonValue } from "@yagate/protocol";
import { parseResourceKey } from "@yagate/tool-definitions/placeholders/resource-key";
import fc from "fast-check";
import { expect, it } from "vitest";
import type { ToolTraits } from "../src/execution-config.ts";
import type { CallState } from "../src/state.ts";
import { limitsWith, MachineWorld, NETWORK_DOWN, planWith } from "./support/machine-world.ts";

const RUNS = 500;
const MAX_STEPS = 200;

const keyed = parseResourceKey("order:$" + "{id}")?.render ?? null;

const tool = fc.record({
  sideEffect: fc.constantFrom(null, "read_only", "idempotent_write", "non_idempotent_write", "destructive"),
  resourceKeyOf: fc.constantFrom(null, keyed),
  parallelGroup: fc.constantFrom(null, null, "a", "b"),
  retries: fc.constantFrom(0, 2),
}) satisfies fc.Arbitrary<Partial<ToolTraits>>;

const turnOfCalls = fc.record({
  tools: fc.array(tool, { minLength: 1, maxLength: 5 }),
  calls: fc.array(fc.tuple(fc.nat(), fc.constantFrom<JsonValue>({}, { id: null }, { id: "1" }, { id: "2" })), {
    minLength: 2,
    maxLength: 8,
  }),
  /** Which of the calls on their way ends next, and whether it has failed. */
  ends: fc.infiniteStream(fc.tuple(fc.nat(), fc.boolean())),
});

it("no two writes run together unless both keys are known and differ, or they share a group", () => {
  fc.assert(
    fc.property(turnOfCalls, ({ tools, calls, ends }) => {
      const named = Object.fromEntries(tools.map((traits, index) => [`tool_${index}`, traits]));
      const limits = limitsWith({ maxSameToolRetries: 100 });
      const world = new MachineWorld(planWith(named, { limits })).start();
      world.model(
        "",
        calls.map(([index, parameters]) => ({ name: `tool_${index % tools.length}`, parameters })),
      );
      for (let step = 0; step < MAX_STEPS && world.state.turns.length === 1; step += 1) {
        const underWay = world.effects.flatMap((effect) => (effect.type === "attempt" ? [effect] : []));
        expect(
          meetings(
            underWay.map(({ call }) => call),
            named,
          ),
        ).toEqual([]);
        const [place, hasFailed] = ends.next().value ?? [0, false];
        const ended = underWay[place % Math.max(1, underWay.length)];
        if (ended === undefined) world.wake();
        else world.finish(ended, hasFailed ? { failure: NETWORK_DOWN } : { result: null });
      }
      expect(world.state.turns).toHaveLength(2);
    }),
    { numRuns: RUNS },
  );
});

type Traits = Pick<ToolTraits, "sideEffect" | "resourceKeyOf" | "parallelGroup">;

function meetings(calls: readonly CallState[], tools: Readonly<Record<string, Traits>>): readonly string[] {
  return calls.flatMap((call, index) =>
    calls.slice(index + 1).flatMap((other) => {
      const [one, two] = [tools[call.name], tools[other.name]];
      if (one === undefined || two === undefined) return ["a call of no tool"];
      if (!isWrite(one) || !isWrite(two)) return [];
      const keys = [one.resourceKeyOf?.(call.parameters), two.resourceKeyOf?.(other.parameters)];
      const areKnown = keys.every((key) => key !== undefined);
      if (areKnown ? keys[0] !== keys[1] : groupSaysSo(one, two)) return [];
      return [
        `${call.name} ${JSON.stringify(call.parameters)} beside ${other.name} ${JSON.stringify(other.parameters)}`,
      ];
    }),
  );
}

function isWrite({ sideEffect, resourceKeyOf }: Traits): boolean {
  return sideEffect === null ? resourceKeyOf !== null : sideEffect !== "read_only";
}

/** A group lets writes run together, but says nothing of two that both name a resource. */
function groupSaysSo(one: Traits, two: Traits): boolean {
  const bothName = one.resourceKeyOf !== null && two.resourceKeyOf !== null;
  return one.parallelGroup !== null && one.parallelGroup === two.parallelGroup && !bothName;
}
