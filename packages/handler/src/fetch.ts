import type { CallHandler } from "./create-handler.ts";
import type { ParametersSchema } from "./tool.ts";
import { createToolHandler, type ToolHandlerOptions } from "./tool-handler.ts";

/**
 * Creates a Fetch handler for one tool, for servers that pass a `Request` to a function and send the `Response` that it
 * returns: Hono, Next.js, Bun, Deno, Workers. For several tools at one URL, use `createHandler`, which returns the same
 * kind of function.
 *
 * @throws {@link YagateError} `SECRET_INVALID`, `INVALID_REQUEST`.
 */
export function toolHandler<Schema extends ParametersSchema>(options: ToolHandlerOptions<Schema>): CallHandler {
  return createToolHandler(options);
}

export type { CallHandler } from "./create-handler.ts";
export type { ToolHandlerOptions } from "./tool-handler.ts";
