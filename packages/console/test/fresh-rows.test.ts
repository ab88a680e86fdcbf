import type { Execution } from "@yagate/protocol";
import { expect, it } from "vitest";
import { holdFresh } from "../src/pages/executions/fresh-rows.ts";

const row = (id: string, status = "running") => ({ id, status }) as Execution;
const idsOf = (rows: readonly Execution[]) => rows.map(({ id }) => id).join("");

it.each([
  ["an empty list", "", "", "", 0],
  ["an empty list that gets rows", "", "cba", "cba", 0],
  ["nothing new", "cba", "cba", "cba", 0],
  ["two new rows", "cba", "edcba", "cba", 2],
  ["a page of new rows only", "cba", "fed", "cba", 3],
])("new rows do not move what is shown: %s", (_name, shown, latest, rows, freshCount) => {
  const held = holdFresh(
    [...shown].map((id) => row(id)),
    [...latest].map((id) => row(id)),
  );
  expect([idsOf(held.rows), held.freshCount]).toEqual([rows, freshCount]);
});

it("shown rows take the state that the latest page has", () => {
  const held = holdFresh([row("b"), row("a")], [row("c"), row("b", "completed")]);
  expect(held.rows).toEqual([row("b", "completed"), row("a")]);
});
