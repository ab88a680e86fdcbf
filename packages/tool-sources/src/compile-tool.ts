import { createHash } from "node:crypto";
import { normaliseSchema } from "@yagate/lib/json-schema/normalise-schema";
import { defined } from "@yagate/lib/objects/defined";
import { strictestRisk, strictestSideEffect } from "@yagate/lib/tools/strictest";
import { canonicalJson, type RestDefinition, type ToolSourceOptions, YagateError } from "@yagate/protocol";
import type {
  CompiledTool,
  CompileSettings,
  DescribedTool,
  RawOperation,
  RawTool,
  SourcedDefinition,
  ToolDefinitionVersion,
} from "./port.ts";
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
  if (settings.kind === "openapi" && "rest" in raw) return completeOperation(raw, settings);
  if (settings.kind === "openapi" || "rest" in raw) {
    throw new YagateError("INTERNAL", `expected a tool of a source of the kind ${settings.kind}`);
  }
  const { name, outputSchema } = raw;
  return {
    toolName: sourcedToolName(settings.name, name),
    definition: definitionOf(raw, settings),
    ...defined({ outputSchema }),
  };
}

type SettingsOf<Kind extends CompileSettings["kind"]> = Extract<CompileSettings, { readonly kind: Kind }>;

function completeOperation(raw: RawOperation, settings: SettingsOf<"openapi">): CompiledTool {
  const { name, rest, scheme, security } = raw;
  const { credential: shared, credentials, defaults, overrides } = settings;
  const toolName = sourcedToolName(settings.name, name);
  const own = scheme !== null && Object.hasOwn(credentials, scheme) ? credentials[scheme] : undefined;
  // Only the definition of a workspace tool that follows an operation has a credential of its own.
  const credential = rest.credential ?? own ?? shared ?? undefined;
  const options = optionsOf({ ...rest, name }, defaults, overrides);
  const definition: RestDefinition = { ...rest, name: toolName, ...defined({ credential }), ...options };
  return { toolName, definition: { rest: definition }, security: { scheme, security } };
}

function definitionOf(raw: DescribedTool, settings: SettingsOf<"handler" | "mcp">): SourcedDefinition {
  const { name, description, parameters, usageNotes } = raw;
  const own = { name, description, parameters };
  if (settings.kind === "mcp") {
    const { url, auth, defaults, overrides } = settings;
    return { ...own, mcp: { url, auth }, ...defined({ usageNotes }), ...optionsOf(raw, defaults, overrides) };
  }
  const { url, signingSecret, defaults, overrides } = settings;
  const handler = { handler: url, signingSecret, ...defined({ usageNotes, language: raw.language, async: raw.async }) };
  return { ...own, ...handler, ...optionsOf(raw, defaults, overrides) };
}

function optionsOf<Options extends Pick<ToolSourceOptions, "timeout" | "sideEffect" | "risk">>(
  raw: Pick<DescribedTool, "name" | "timeout" | "sideEffect" | "risk">,
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

function hashOf({ toolName, definition, outputSchema, security }: CompiledTool): string {
  const output = outputSchema === undefined ? undefined : normaliseSchema(outputSchema);
  const text = canonicalJson({ toolName, definition: normalDefinition(definition), outputSchema: output, security });
  return `sha256:${createHash("sha256").update(text).digest("hex")}`;
}

/** Returns a definition without the differences that mean nothing. */
export function normalDefinition(definition: SourcedDefinition): SourcedDefinition {
  if (!("rest" in definition)) return { ...definition, parameters: normaliseSchema(definition.parameters) };
  const parameters = definition.rest.parameters
    .map(({ schema, ...rest }) => ({ ...rest, ...(schema === undefined ? {} : { schema: normaliseSchema(schema) }) }))
    .toSorted((left, right) => (left.name < right.name ? -1 : 1));
  return { rest: { ...definition.rest, parameters } };
}
