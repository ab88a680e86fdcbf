import fc from "fast-check";
import { expect, it } from "vitest";
import { type Answer, ASKING } from "./support/moves.ts";
import { playToEnds, waitingScene } from "./support/waiting-scenes.ts";

const answer: fc.Arbitrary<Answer> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      how: fc.constant("asks" as const),
      questions: fc.constantFrom(1, 2, 0),
      size: fc.constant(1),
    }),
  },
  { weight: 2, arbitrary: fc.record({ how: fc.constant("forgets" as const), size: fc.constant(1) }) },
  { weight: 1, arbitrary: fc.record({ how: fc.constantFrom("down" as const, "timeout" as const) }) },
  { weight: 1, arbitrary: fc.constant({ how: "result" as const, size: 1 }) },
);

it("every rule holds and every call ends once, for all questions and answers", () => {
  const histories = playToEnds(waitingScene({ tools: ASKING, answer }), 300);
  // More than a tenth of the histories contain each of them: that all 300 lack one is less likely than 1e-13.
  for (const type of ["input.requested", "input.received", "input.withdrawn"]) {
    expect(histories.get(type), type).toBeGreaterThan(0);
  }
});
