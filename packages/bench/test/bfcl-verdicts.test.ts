import { compareCalls } from "@yagate/evals";
import { expect, it } from "vitest";
import { readBfcl } from "../bfcl/corpus.ts";
import { readVerdicts } from "../bfcl/verdicts.ts";

it("the mode bfcl agrees with every verdict of the leaderboard's own checker", async () => {
  const [corpus, verdicts] = await Promise.all([readBfcl(), readVerdicts()]);
  const cases = new Map(corpus.map((one) => [one.id, one]));
  const disagreements = verdicts.filter(({ id, calls, valid }) => {
    const { answer = [], functions = [] } = cases.get(id) ?? {};
    const { problems } = compareCalls({
      expected: answer.flatMap((call) => Object.entries(call).map(([name, given]) => ({ name, arguments: given }))),
      made: calls.flatMap((call) => Object.entries(call).map(([name, parameters]) => ({ name, parameters }))),
      match: "bfcl",
      order: "any",
      schemas: new Map(functions.map(({ name, parameters }) => [name, parameters])),
    });
    return (problems.length === 0) !== valid;
  });
  expect(disagreements.map(({ id, mutation }) => `${id}: ${mutation}`)).toEqual([]);
  expect(verdicts).toHaveLength(2_915);
  expect(verdicts.filter(({ valid }) => valid)).toHaveLength(735);
});
