import { createArgumentValidator } from "@yagate/tool-definitions/arguments/argument-validator";
import { expect } from "vitest";
import type { BuiltinTool } from "../../src/builtin-tool.ts";
import { datetimeTool } from "../../src/datetime/datetime-tool.ts";
import { builtinContext } from "../builtin-context.ts";

/** The arguments of one call. */
export type DatetimeArguments = Readonly<Record<string, unknown>>;

const context = builtinContext({ now: () => Date.parse("2026-11-21T06:00:00.250Z") });
const validator = createArgumentValidator();

/**
 * The result or the error of a call that the tool's own schema allows, on Saturday, 21 November 2026, 06:00 in UTC.
 *
 * @param tool - the one without a configuration by default.
 */
export async function askDatetime(request: DatetimeArguments, tool: BuiltinTool = datetimeTool): Promise<unknown> {
  expect(validator.validate("datetime", tool.parameters, request)).toEqual({ valid: true });
  const outcome = await tool.execute(request, context);
  return "result" in outcome ? outcome.result : outcome.error;
}
