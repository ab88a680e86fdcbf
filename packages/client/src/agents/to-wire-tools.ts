import { isObject } from "@yagate/lib/json/json-object";
import { YagateError } from "@yagate/protocol";
import * as z from "zod";
import type { JsonSchemaObject, ToolInput, ToolParameters } from "./tool-input.ts";

/**
 * Replaces each tool's Zod 4 parameters with the JSON Schema (draft 2020-12) of the input that they accept. Leaves
 * everything else unchanged.
 *
 * @throws YagateError `INVALID_REQUEST`, with the tool's name, if a schema is from an older version of Zod or contains
 *   types that JSON Schema cannot express.
 */
export function toWireTools<Definition extends { readonly tools?: readonly ToolInput[] | undefined }>(
  definition: Definition,
): Omit<Definition, "tools"> & { tools?: unknown[] } {
  const { tools, ...rest } = definition;
  return tools === undefined ? rest : { ...rest, tools: tools.map(toWireTool) };
}

function toWireTool(tool: ToolInput): unknown {
  if (!("parameters" in tool)) return tool;
  return { ...tool, parameters: toJsonSchema(tool.parameters, tool.name) };
}

function toJsonSchema(parameters: ToolParameters, toolName: string): unknown {
  if (isZod4(parameters)) return convert(parameters, toolName);
  if (isOlderZod(parameters)) throw invalid(toolName, "expected a Zod 4 schema, got one from an older version of Zod");
  return parameters;
}

function convert(schema: z.core.$ZodType, toolName: string): JsonSchemaObject {
  const { $schema: _draft, ...jsonSchema } = expressInJson(schema, toolName);
  if (jsonSchema.type !== "object") throw invalid(toolName, "expected a Zod 4 object");
  return JSON.parse(JSON.stringify(jsonSchema));
}

function expressInJson(schema: z.core.$ZodType, toolName: string) {
  try {
    return z.toJSONSchema(schema, { target: "draft-2020-12", io: "input" });
  } catch (cause) {
    const reason: unknown = Object(cause).message ?? "unknown reason";
    throw invalid(toolName, `expected types that JSON Schema can express: ${reason}`, cause);
  }
}

function isZod4(parameters: ToolParameters): parameters is z.core.$ZodObject {
  return isObject(parameters) && "_zod" in parameters;
}

function isOlderZod(parameters: ToolParameters): boolean {
  return "_def" in parameters && "safeParse" in parameters;
}

function invalid(toolName: string, message: string, cause?: unknown): YagateError {
  return new YagateError("INVALID_REQUEST", `parameters of the tool ${toolName}: ${message}`, {
    hint: "describe the parameters with Zod 4 types that JSON Schema can express, such as z.iso.datetime() for a date",
    cause,
  });
}
