import { createHash } from "node:crypto";
import { defined } from "@yagate/lib/objects/defined";
import { strictestRisk, strictestSideEffect } from "@yagate/lib/tools/strictest";
import { canonicalJson, type HandlerToolDefinition, type ToolSourceOptions } from "@yagate/protocol";
import { normaliseSchema } from "./normalise-schema.ts";
import type { CompiledTool, CompileSettings, RawTool, ToolDefinitionVersion } from "./port.ts";
import { sourcedToolName } from "./sourced-tool-name.ts";

/**
 * Completes a published tool with the settings of its source. Overrides take precedence over the tool's own
 * declaration. Defaults apply only to options that the tool does not declare, except that the stricter of two side
 * effects or risk classes applies.
 *
 * @throws YagateError `PAYLOAD_INVALID` if a text of the tool is not valid Unicode.
 */
export function compileTool(raw: RawTool, settings: CompileSettings): ToolDefinitionVersion {
  const compiled = complete(raw, settings);
  return { hash: hashOf(compiled), raw, compiled };
}

function complete(
  raw: RawTool,
  { name: source, url, signingSecret, defaults, overrides }: CompileSettings,
): CompiledTool {
  const { name, description, parameters, outputSchema, usageNotes, async } = raw;
  const override: ToolSourceOptions = Object.hasOwn(overrides, name) ? (overrides[name] ?? {}) : {};
  const definition: HandlerToolDefinition = {
    name,
    description,
    parameters,
    handler: url,
    signingSecret,
    ...defined({ usageNotes, async }),
    ...defaults,
    ...defined({
      timeout: raw.timeout ?? defaults.timeout,
      sideEffect: strictestSideEffect([raw.sideEffect, defaults.sideEffect]),
      risk: strictestRisk([raw.risk, defaults.risk]),
    }),
    ...override,
  };
  return { toolName: sourcedToolName(source, name), definition, ...defined({ outputSchema }) };
}

function hashOf({ toolName, definition, outputSchema }: CompiledTool): string {
  const parameters = normaliseSchema(definition.parameters);
  const output = outputSchema === undefined ? undefined : normaliseSchema(outputSchema);
  const text = canonicalJson({ toolName, definition: { ...definition, parameters }, outputSchema: output });
  return `sha256:${createHash("sha256").update(text).digest("hex")}`;
}
