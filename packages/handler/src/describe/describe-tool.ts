import { declaredOptionsSchema, type JsonObject, type ManifestTool, YagateError } from "@yagate/protocol/calls";
import { toJSONSchema } from "zod";
import { isZodSchema, type ParametersSchema, type Tool } from "../tool.ts";

/**
 * Describes a tool for the model and for the gateway: what `defineTool` was given, with the parameters as JSON Schema.
 *
 * @throws {@link YagateError} `INVALID_REQUEST` if JSON Schema cannot express the parameters.
 */
export function describeTool(tool: Tool): ManifestTool {
  const { name, description, parameters } = tool;
  return { name, description, parameters: toJsonSchema(parameters, name), ...declaredOptionsSchema.parse(tool) };
}

/**
 * Converts the parameters to JSON Schema (draft 2020-12), in the same form as the client.
 *
 * @throws {@link YagateError} `INVALID_REQUEST` if JSON Schema cannot express the parameters.
 */
export function toJsonSchema(parameters: ParametersSchema, toolName: string): JsonObject {
  try {
    if (!isZodSchema(parameters)) return JSON.parse(JSON.stringify(parameters));
    const { $schema: _dialect, ...schema } = toJSONSchema(parameters, { target: "draft-2020-12", io: "input" });
    return JSON.parse(JSON.stringify(schema));
  } catch (cause) {
    const reason: unknown = Object(cause).message;
    const message = `tool ${toolName}: expected parameters that JSON Schema can express: ${reason}`;
    throw new YagateError("INVALID_REQUEST", message, { cause });
  }
}
