import { type CallHandler, createHandler, HANDLER_OPTION_KEYS, type HandlerOptions } from "./create-handler.ts";
import { defineTool, type ParametersSchema, TOOL_KEYS, type Tool } from "./define-tool.ts";
import { assertKnownKeys } from "./known-keys.ts";

/** A handler's options and its one tool, side by side. */
export type ToolHandlerOptions<Schema extends ParametersSchema> = HandlerOptions & Tool<Schema>;

/** Makes a handler of one tool; the adapters give it their server's form. Throws as `createHandler` does. */
export function createToolHandler<Schema extends ParametersSchema>(options: ToolHandlerOptions<Schema>): CallHandler {
  assertKnownKeys("a tool handler", options, [...HANDLER_OPTION_KEYS, ...TOOL_KEYS]);
  const { name, description, parameters, execute, ...handlerOptions } = options;
  return createHandler({ ...handlerOptions, tools: [defineTool({ name, description, parameters, execute })] });
}
