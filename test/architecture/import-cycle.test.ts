import { describe, expect, it } from "vitest";
import { graphOf } from "./graph-of.ts";
import { findImportCycle } from "./rules/import-cycle.ts";
import { readSourceGraph } from "./source-graph.ts";

// Reading every source takes longer on a busy machine.
it("no source imports itself through others", { timeout: 60_000 }, () => {
  expect(findImportCycle(readSourceGraph())).toBeUndefined();
});

describe("the search for cycles", () => {
  it.each([
    ["two files", { a: ["b"], b: ["a"] }, ["a", "b", "a"]],
    ["a file and itself", { a: ["a"] }, ["a", "a"]],
    [
      "a long way round, off the path that leads there",
      { a: ["b"], b: ["c"], c: ["d"], d: ["b"] },
      ["b", "c", "d", "b"],
    ],
    ["types only", { a: ["type b"], b: ["a"] }, ["a", "b", "a"]],
  ])("finds %s", (_name, files, cycle) => {
    expect(findImportCycle(graphOf(files))).toEqual(cycle);
  });

  it("takes two ways to one file for no cycle", () => {
    expect(findImportCycle(graphOf({ a: ["b", "c"], b: ["d"], c: ["d"], d: ["zod"] }))).toBeUndefined();
  });
});
