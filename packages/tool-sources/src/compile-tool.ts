import { createHash } from "node:crypto";
import { defined } from "@yagate/lib/objects/defined";
import { strictestRisk, strictestSideEffect } from "@yagate/lib/tools/strictest";
import { canonicalJson, type ToolSourceOptions } from "@yagate/protocol";
import { normaliseSchema } from "./normalise-schema.ts";
import type { CompiledTool, CompileSettings, RawTool, SourcedDefinition, ToolDefinitionVersion } from "./port.ts";
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

function complete(raw: RawTool, settings: CompileSettings): CompiledTool {
  const { name, outputSchema } = raw;
  return {
    toolName: sourcedToolName(settings.name, name),
    definition: definitionOf(raw, settings),
    ...defined({ outputSchema }),
  };
}

function definitionOf(raw: RawTool, settings: CompileSettings): SourcedDefinition {
  const { name, description, parameters, usageNotes } = raw;
  const own = { name, description, parameters };
  if (settings.kind === "mcp") {
    const { url, auth, defaults, overrides } = settings;
    return { ...own, mcp: { url, auth }, ...defined({ usageNotes }), ...optionsOf(raw, defaults, overrides) };
  }
  const { url, signingSecret, defaults, overrides } = settings;
  const handler = { handler: url, signingSecret, ...defined({ usageNotes, async: raw.async }) };
  return { ...own, ...handler, ...optionsOf(raw, defaults, overrides) };
}

function optionsOf<Options extends Pick<ToolSourceOptions, "timeout" | "sideEffect" | "risk">>(
  raw: RawTool,
  defaults: Options,
  overrides: Readonly<Record<string, Options>>,
) {
  const override = Object.hasOwn(overrides, raw.name) ? overrides[raw.name] : undefined;
  return {
    ...defaults,
    ...defined({
      timeout: raw.timeout ?? defaults.timeout,
      sideEffect: strictestSideEffect([raw.sideEffect, defaults.sideEffect]),
      risk: strictestRisk([raw.risk, defaults.risk]),
    }),
    ...override,
  };
}

function hashOf({ toolName, definition, outputSchema }: CompiledTool): string {
  const parameters = normaliseSchema(definition.parameters);
  const output = outputSchema === undefined ? undefined : normaliseSchema(outputSchema);
  const text = canonicalJson({ toolName, definition: { ...definition, parameters }, outputSchema: output });
  return `sha256:${createHash("sha256").update(text).digest("hex")}`;
}
