import { type CallHandler, createHandler, HANDLER_OPTION_KEYS, type HandlerOptions } from "./create-handler.ts";
import { defineTool, TOOL_KEYS } from "./define-tool.ts";
import { assertKnownKeys } from "./known-keys.ts";
import type { ParametersSchema, Tool } from "./tool.ts";

/** The options of a handler, together with the fields of its only tool. */
export type ToolHandlerOptions<Schema extends ParametersSchema> = HandlerOptions & Tool<Schema>;

/**
 * Creates a handler for one tool, which the adapters convert for their servers. Throws the same errors as
 * `createHandler`.
 */
export function createToolHandler<Schema extends ParametersSchema>(options: ToolHandlerOptions<Schema>): CallHandler {
  assertKnownKeys("a tool handler", options, [...HANDLER_OPTION_KEYS, ...TOOL_KEYS]);
  const { name, description, parameters, execute, timeout, sideEffect, risk, usageNotes, language, async, ...rest } =
    options;
  const tool = { name, description, parameters, execute, timeout, sideEffect, risk, usageNotes, language, async };
  return createHandler({ ...rest, tools: [defineTool(tool)] });
}
