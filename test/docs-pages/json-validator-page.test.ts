import { afterAll, describe, expect, it } from "vitest";
import { createJsonValidator } from "../../packages/builtins/src/json-validator/json-validator-tool.ts";
import { builtinContext } from "../../packages/builtins/test/builtin-context.ts";
import { tableRows } from "./page-tables.ts";
import { toolExamples } from "./tool-examples.ts";

const PAGE = "docs/json-validator.md";
const { tool, close } = createJsonValidator({ timeoutMs: 60_000 });
afterAll(close);

describe(PAGE, () => {
  it.each(toolExamples(PAGE))("$place, $section", async ({ parameters, outcome }) => {
    expect(await tool.execute(parameters, builtinContext())).toEqual(outcome);
  });

  it("has every parameter", () => {
    const rows = tableRows(PAGE, ["parameter", "default", "meaning"]);
    expect(rows.map(({ parameter }) => parameter)).toEqual(Object.keys(Object(tool.parameters["properties"])));
  });
});
