import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { CALCULATOR_ERROR_CODES } from "../../packages/builtins/src/calculator/calculator-error.ts";
import { calculatorTool } from "../../packages/builtins/src/calculator/calculator-tool.ts";
import { FUNCTIONS, resolveFunctionName } from "../../packages/builtins/src/calculator/function-names.ts";
import { builtinContext } from "../../packages/builtins/test/builtin-context.ts";
import { repositoryRoot } from "../../scripts/repository-root.ts";
import { tableRows } from "./page-tables.ts";
import { toolExamples } from "./tool-examples.ts";

const GUIDE = "docs/calculator.md";
const REFERENCE = "docs/calculator-reference.md";
const text = readFileSync(join(repositoryRoot, REFERENCE), "utf8");

describe("the pages about the calculator", () => {
  it.each([GUIDE, REFERENCE].flatMap(toolExamples))("$place, $section", async ({ parameters, outcome }) => {
    expect(await calculatorTool.execute(parameters, builtinContext())).toEqual(outcome);
  });

  it("has every parameter", () => {
    const rows = tableRows(REFERENCE, ["parameter", "default", "meaning"]);
    expect(rows.map(({ parameter }) => parameter)).toEqual(
      Object.keys(Object(calculatorTool.parameters["properties"])),
    );
  });

  it("names every function, and no other", () => {
    const spans = [...text.matchAll(/`([a-z][a-z_0-9]*)(?:\([^`]*\))?`/gi)].map(([, name = ""]) => name.toLowerCase());
    expect([...FUNCTIONS.keys()].filter((name) => !spans.includes(name))).toEqual([]);
    const aliases = tableRows(REFERENCE, ["function", "aliases", "result"]).flatMap(({ aliases: names = "" }) =>
      names.split(/[`, ]+/),
    );
    expect(aliases.filter((name) => name !== "" && !FUNCTIONS.has(resolveFunctionName(name)))).toEqual([]);
  });

  it("has every kind of error", () => {
    const kinds = tableRows(REFERENCE, ["kind", "cause"]).flatMap(({ kind = "" }) =>
      kind.split(/[`, ]+/).filter(Boolean),
    );
    expect(kinds.toSorted()).toEqual([...CALCULATOR_ERROR_CODES].toSorted());
  });
});
