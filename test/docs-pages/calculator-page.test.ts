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

/** The names in a cell or a list, without parameters: `corr`, `covariance(xs, ys)`. */
const namesIn = (cell = "") =>
  cell
    .replaceAll(/\([^)]*\)/g, "")
    .split(/[`, ]+/)
    .filter(Boolean);

/** The aliases that stand beside more than one function. */
const AMBIGUOUS: Readonly<Record<string, string>> = {
  prod: "product",
  len: "count",
  var: "variance",
  stddev: "stdev",
  std: "stdev",
  stdev_s: "stdev",
  var_p: "pvariance",
  stdev_p: "pstdev",
  geometric_mean: "geomean",
  harmonic_mean: "harmean",
};

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

  it("names every function", () => {
    const spans = [...text.matchAll(/`([a-z][a-z_0-9]*)(?:\([^`]*\))?`/gi)].map(([, name = ""]) => name.toLowerCase());
    expect([...FUNCTIONS.keys()].filter((name) => !spans.includes(name))).toEqual([]);
  });

  it("has aliases, each of the function beside it", () => {
    const rows = tableRows(REFERENCE, ["function", "aliases", "result"]).filter(({ aliases }) => aliases !== "");
    const inTables = rows.flatMap((row) =>
      namesIn(row["aliases"]).map((alias) => ({ alias, function: row["function"] })),
    );
    const inText = [...text.matchAll(/`(n[CP]r)\(n, r\)` \(also ([^)]+)\)/g)].flatMap(([, name, aliases]) =>
      namesIn(aliases).map((alias) => ({ alias, function: name?.toLowerCase() })),
    );
    expect(inText).toHaveLength(6);
    const aliases = [...inTables, ...inText];
    for (const { alias, function: functions } of aliases) {
      const resolved = resolveFunctionName(alias);
      expect(namesIn(functions), alias).toContain(resolved);
      expect(resolved, alias).toBe(AMBIGUOUS[alias] ?? namesIn(functions)[0]);
    }
    expect(aliases.map(({ alias }) => alias)).toEqual(expect.arrayContaining(Object.keys(AMBIGUOUS)));
  });

  it("has every kind of error", () => {
    const kinds = tableRows(REFERENCE, ["kind", "cause"]).flatMap(({ kind = "" }) =>
      kind.split(/[`, ]+/).filter(Boolean),
    );
    expect(kinds.toSorted()).toEqual([...CALCULATOR_ERROR_CODES].toSorted());
  });
});
