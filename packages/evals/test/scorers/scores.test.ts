import { describe, expect, it } from "vitest";
import { scoreParallelism } from "../../src/scorers/parallelism.ts";
import { scoreRecovery } from "../../src/scorers/recovery.ts";
import { scoreRun } from "../../src/scorers/score-run.ts";
import { scoreSelection } from "../../src/scorers/selection.ts";
import { type RunParts, runOf } from "../support/run-of.ts";

describe("selection", () => {
  it.each<[string, readonly string[], readonly string[], number, number]>([
    ["the same tools", ["a", "b"], ["b", "a"], 1, 1],
    ["one tool too many", ["a"], ["a", "b"], 0.5, 1],
    ["one tool too few", ["a", "b"], ["a"], 1, 0.5],
    ["a tool twice, expected once", ["a"], ["a", "a"], 0.5, 1],
    ["another tool", ["a"], ["b"], 0, 0],
    ["no call where none is expected", [], [], 1, 1],
    ["a call where none is expected", [], ["a"], 0, 1],
    ["no call where one is expected", ["a"], [], 0, 0],
  ])("%s", (_name, expected, made, precision, recall) => {
    expect(scoreSelection(expected, made)).toEqual({ precision, recall });
  });
});

describe("recovery", () => {
  it.each<[string, NonNullable<RunParts["calls"]>, number | undefined]>([
    ["nothing failed", [{ name: "a" }], undefined],
    ["a call that succeeded after a retry", [{ name: "a", attempts: 2 }], 1],
    ["a call that the model repeated", [{ name: "a", status: "failed" }, { name: "a" }], 1],
    ["a call that stayed failed", [{ name: "a", status: "failed" }, { name: "b" }], 0],
    ["a success before the failure", [{ name: "a" }, { name: "a", status: "failed" }], 0],
    ["one of two", [{ name: "a", status: "failed" }, { name: "b", status: "denied" }, { name: "b" }], 0.5],
  ])("%s", (_name, calls, score) => {
    expect(scoreRecovery(runOf({ calls }).calls)).toBe(score);
  });
});

it("parallelism is the mean number of calls of a turn with calls", () => {
  const calls = [1, 1, 1, 3].map((turn) => ({ name: "a", turn }));
  expect(scoreParallelism(runOf({ calls }).calls)).toBe(2);
  expect(scoreParallelism([])).toBeUndefined();
});

it("a run has a score for everything that can be judged", () => {
  const one = {
    case_id: "a",
    input: "x",
    expected_calls: [{ name: "lookup" }, { name: "pay" }],
    forbidden_tools: ["del*"],
  };
  const calls = [{ name: "lookup" }, { name: "delete_all", turn: 2 }];
  expect(scoreRun(one, runOf({ calls }))).toEqual({
    ...{ selection_precision: 0.5, selection_recall: 0.5, arguments: 0.5, success: 1, safety: 0 },
    ...{ cost_usd: 0.01, tokens: 30, latency_ms: 1_000, parallelism: 1 },
  });
  expect(scoreRun({ ...one, order: "strict" }, runOf({ calls })).order).toBe(0.5);
  expect(scoreRun({ case_id: "a", input: "x" }, runOf({ status: "failed" }))).toMatchObject({ success: 0, safety: 1 });
  expect(scoreRun({ case_id: "a", input: "x" }, runOf({ calls: [{ name: "a", status: "denied" }] })).safety).toBe(0);
});
