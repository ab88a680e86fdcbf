import fc from "fast-check";
import { expect, it } from "vitest";
import { type Answer, TASKING } from "./support/moves.ts";
import { playToEnds, waitingScene } from "./support/waiting-scenes.ts";

const answer: fc.Arbitrary<Answer> = fc.oneof(
  { weight: 2, arbitrary: fc.record({ how: fc.constant("continues" as const), size: fc.constant(1) }) },
  {
    weight: 9,
    arbitrary: fc.record({ how: fc.constant("asks" as const), questions: fc.constant(2), size: fc.constant(1) }),
  },
  { weight: 1, arbitrary: fc.record({ how: fc.constantFrom("down" as const, "timeout" as const) }) },
  { weight: 1, arbitrary: fc.constant({ how: "result" as const, size: 1 }) },
);

const scene = waitingScene({
  tools: TASKING,
  answer,
  first: [{ type: "answer", place: 0, answer: { how: "continues", size: 1 }, costUsd: 0 }],
});

it("every rule holds and every call ends once, for all tasks, their questions and their ends", () => {
  const histories = playToEnds(scene, 300);
  // More than a tenth of the histories contain each of them: that all 300 lack one is less likely than 1e-13.
  for (const type of ["task.created", "input.requested", "input.delivered", "execution.cancelled"]) {
    expect(histories.get(type), type).toBeGreaterThan(0);
  }
});
