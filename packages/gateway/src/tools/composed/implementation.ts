import { isJsonObject } from "@yagate/lib/json/json-object";
import type { ComposedToolDefinition } from "@yagate/protocol";
import {
  parseRequest,
  type RequestParts,
  type RequestPrimitive,
} from "@yagate/tool-definitions/placeholders/request-template";
import type { TemplateReader, TemplateScope } from "@yagate/tool-definitions/placeholders/template-reader";
import type { ValueTemplate } from "@yagate/tool-definitions/placeholders/value-template";
import type { Target } from "./target.ts";

/** Arguments that are handed on. */
export type ArgumentTemplates = readonly (readonly [name: string, value: ValueTemplate])[];

/** What a composed tool makes of its parameters. */
export type Implementation =
  | { readonly primitive: RequestPrimitive; readonly request: RequestParts }
  | { readonly target: Exclude<Target, { readonly primitive: RequestPrimitive }>; readonly args: ArgumentTemplates };

/** The names that a schema of parameters declares. */
export function scopeOf(schema: Readonly<Record<string, unknown>>): TemplateScope {
  const { properties, required } = schema;
  return {
    parameters: new Set(isJsonObject(properties) ? Object.keys(properties) : []),
    required: new Set(Array.isArray(required) ? required.filter((name) => typeof name === "string") : []),
  };
}

/**
 * Takes a tool's arguments apart, once.
 *
 * @param path - where the arguments stand, as `tools[0].implementation.args`.
 * @returns undefined when nothing can be made of them; why was noted.
 */
export function parseImplementation(
  { implementation: { args } }: ComposedToolDefinition,
  target: Target,
  path: string,
  reader: TemplateReader,
): Implementation | undefined {
  if ("primitive" in target) {
    const request = parseRequest(target.primitive, args, path, reader);
    return request && { primitive: target.primitive, request };
  }
  return { target, args: reader.members(args, path) };
}
