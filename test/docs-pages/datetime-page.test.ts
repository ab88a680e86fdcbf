import type { BuiltinTool } from "@yagate/builtins/builtin-tool";
import { jsonObjectSchema } from "@yagate/protocol";
import { describe, expect, it } from "vitest";
import { datetimeTool } from "../../packages/builtins/src/datetime/datetime-tool.ts";
import { OPERATIONS } from "../../packages/builtins/src/datetime/names.ts";
import { DEFAULT_SETTINGS } from "../../packages/builtins/src/datetime/settings.ts";
import { builtinContext } from "../../packages/builtins/test/builtin-context.ts";
import { tableRows } from "./page-tables.ts";
import { type ToolExample, toolExamples } from "./tool-examples.ts";

const GUIDE = "docs/datetime.md";
const REFERENCE = "docs/datetime-reference.md";
const context = builtinContext({ now: () => Date.parse("2026-11-21T06:00:00Z") });

function configured(config: ToolExample["config"]): BuiltinTool {
  if (config === undefined) return datetimeTool;
  const made = datetimeTool.configure?.(jsonObjectSchema.parse(config));
  if (made === undefined || "problems" in made) throw new Error("expected a configuration that is taken");
  return made.tool;
}

describe("the pages about dates and times", () => {
  it.each([GUIDE, REFERENCE].flatMap(toolExamples))("$place, $section", async ({ parameters, outcome, config }) => {
    expect(await configured(config).execute(parameters, context)).toEqual(outcome);
  });

  it("has every operation", () => {
    const names = tableRows(REFERENCE, ["operation", "result"]).flatMap(
      ({ operation = "" }) => operation.match(/\w+/g) ?? [],
    );
    expect(names).toEqual([...OPERATIONS]);
  });

  it("has every parameter", () => {
    const rows = tableRows(REFERENCE, ["parameter", "default", "meaning"]);
    expect(rows.map(({ parameter }) => parameter)).toEqual(Object.keys(Object(datetimeTool.parameters["properties"])));
  });

  it("has every field of the configuration", () => {
    const rows = tableRows(GUIDE, ["field of `config`", "default", "meaning"]);
    expect(rows.map((row) => row["field of `config`"])).toEqual(Object.keys(DEFAULT_SETTINGS));
  });
});
