import { yieldToEventLoop } from "@yagate/lib/async/event-loop";
import {
  canonicalJson,
  type FieldError,
  removeInvisible,
  type SkippedTool,
  type ToolSourceOptions,
  YagateError,
} from "@yagate/protocol";
import { checkParametersSchema } from "@yagate/tool-definitions/arguments/check-parameters-schema";
import { checkProjection } from "@yagate/tool-definitions/checks/check-projection";
import { checkResourceKey } from "@yagate/tool-definitions/checks/check-resource-key";
import { restParameters } from "@yagate/tool-definitions/rest/rest-parameters";
import { declaredOptions } from "@yagate/tool-sources/declared-options";
import type { RawTool, ToolDefinitionVersion } from "@yagate/tool-sources/port";

/** Maximum number of faults that an error names. */
const MAX_NAMED = 5;

/**
 * Checks what the form of the definitions does not guarantee: that models can read every text as people see it, and
 * that the parameters are a JSON Schema which arguments can be checked against.
 *
 * @throws YagateError `MANIFEST_INVALID`, which names at most 5 faults.
 */
export async function assertUsable(tools: readonly RawTool[]): Promise<void> {
  const faults: string[] = [];
  for (const [index, tool] of tools.entries()) {
    // The check of a large schema takes a while, so other requests run between two checks.
    await yieldToEventLoop();
    faults.push(...faultsOf(tool).map((fault) => `tools[${index}].${fault}`));
    if (faults.length >= MAX_NAMED) break;
  }
  if (faults.length === 0) return;
  throw new YagateError("MANIFEST_INVALID", `the published tools: ${faults.slice(0, MAX_NAMED).join("; ")}`);
}

/** Separates the definitions that {@link assertUsable} would not accept from the others, with the reasons. */
export async function separateUnusable(
  tools: readonly RawTool[],
): Promise<{ readonly usable: readonly RawTool[]; readonly skipped: readonly SkippedTool[] }> {
  const usable: RawTool[] = [];
  const skipped: SkippedTool[] = [];
  for (const tool of tools) {
    await yieldToEventLoop();
    const [fault] = faultsOf(tool);
    if (fault === undefined) usable.push(tool);
    else skipped.push({ name: tool.name, reason: fault });
  }
  return { usable, skipped };
}

function faultsOf({ generator: _generator, ...tool }: RawTool): readonly string[] {
  const hidden = Object.entries(tool).filter(([, value]) => hasHiddenText(value));
  if (hidden.length > 0) return hidden.map(([field]) => `${field}: expected no invisible characters`);
  const parameters = "rest" in tool ? restParameters(tool.rest) : tool.parameters;
  return checkParametersSchema(parameters).map(({ message }) => `parameters: ${message}`);
}

/** Whether a text in a value has characters that people cannot see, or is not valid Unicode. */
function hasHiddenText(value: unknown): boolean {
  if (value === undefined) return false;
  let isHidden = false;
  try {
    removeInvisible(canonicalJson(value), () => {
      isHidden = true;
    });
  } catch (error) {
    if (!YagateError.is(error)) throw error;
    return true;
  }
  return isHidden;
}

/**
 * Checks the options that a source adds to its tools, because they depend on the tools' parameters. The paths of the
 * errors begin with `overrides` if the option is one of the tool's overrides, else with `defaults`.
 */
export function checkOptions(
  versions: readonly ToolDefinitionVersion[],
  overrides: Readonly<Record<string, ToolSourceOptions>>,
): readonly FieldError[] {
  return versions.flatMap(({ raw: { name }, compiled: { definition } }) => {
    const { projection, resourceKey, sideEffect } = declaredOptions(definition);
    const parameters = "rest" in definition ? restParameters(definition.rest) : definition.parameters;
    const own = Object.hasOwn(overrides, name) ? overrides[name] : undefined;
    const placeOf = (option: keyof ToolSourceOptions) =>
      own?.[option] === undefined ? "defaults" : `overrides.${name}`;
    return [
      ...checkProjection(projection, placeOf("projection")),
      ...checkResourceKey({ resourceKey, sideEffect, parameters }, placeOf("resourceKey")),
    ].map(({ path, code, message }) => ({ path, code, message }));
  });
}
