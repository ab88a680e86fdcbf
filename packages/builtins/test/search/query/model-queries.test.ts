import { expect, it } from "vitest";
import { readModelQueries } from "../../../src/search/plan-queries.ts";

it.each<[answer: string, queries: readonly string[] | undefined]>([
  ['["heat pump noise", "heat pump price"]', ["heat pump noise", "heat pump price"]],
  ['Here you are:\n```json\n["a b"]\n```', ["a b"]],
  ['["a1", "b2", "c3", "d4"]', ["a1", "b2", "c3"]],
  ['["a b", "A B", "  a\\nb "]', ["  a\\nb "].map(() => "a b")],
  ["[]", undefined],
  ['["x"]', undefined],
  ["[1, 2]", undefined],
  ["I would search for heat pumps", undefined],
  ["[not json]", undefined],
  [`["${"a".repeat(300)}", "short one"]`, ["short one"]],
])("%s", (answer, queries) => {
  expect(readModelQueries(answer)?.map((query) => query.toLowerCase())).toEqual(queries);
});
