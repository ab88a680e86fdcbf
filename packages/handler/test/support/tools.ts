import { z } from "zod";
import { type CreateHandlerOptions, createHandler, defineTool, type Tool } from "../../src/index.ts";
import type { SignedCallOptions } from "../../src/testing.ts";
import { SECRET } from "./calls.ts";
import { createRecordingLogger } from "./recording-logger.ts";

/** A tool that does what the test says. */
export function toolThat(execute: Tool["execute"]): Tool {
  return defineTool({
    name: "lookup_order",
    description: "Looks up an order.",
    parameters: { type: "object" },
    execute,
  });
}

/** A tool with typed parameters. */
export const typedTool = defineTool({
  name: "lookup_order",
  description: "Looks up an order.",
  parameters: z.strictObject({ orderId: z.string().regex(/^ORD-/), limit: z.int().default(10) }),
  execute: ({ orderId, limit }) => ({ orderId, limit }),
});

/** A handler of the given tools, and what it logs. */
export function handlerOf(tools: Tool | readonly Tool[], options: Partial<CreateHandlerOptions> = {}) {
  const logger = createRecordingLogger();
  const list = "name" in tools ? [tools] : tools;
  return { handler: createHandler({ secrets: SECRET, tools: list, logger, ...options }), logger };
}

/** A call that a test changes one thing of. */
export function call(changed: Partial<SignedCallOptions> = {}): SignedCallOptions {
  return { secret: SECRET, name: "lookup_order", parameters: { orderId: "ORD-12345" }, ...changed };
}
