import { createHash } from "node:crypto";
import type { ComposedToolDefinition, JsonObject } from "@yagate/protocol";
import { RenderError } from "@yagate/tool-definitions/request/render-error";
import { type BuiltinExecutorOptions, createBuiltinExecutor } from "../executors/builtin-executor.ts";
import type { Rendering, ToolCall, ToolExecutor, ToolOutcome } from "../port.ts";
import type { CompiledComposedTool } from "./compile-composed-tool.ts";

/** Creates the executor for a composed tool whose target is a built-in tool. */
export function createComputeExecutor(
  { name }: ComposedToolDefinition,
  { builtin, renderArguments }: Extract<CompiledComposedTool, { readonly kind: "compute" }>,
  options: BuiltinExecutorOptions,
): ToolExecutor {
  const executor = createBuiltinExecutor(builtin, options);

  function rendered(call: ToolCall): { readonly parameters: JsonObject } | { readonly refused: RenderError } {
    try {
      return { parameters: renderArguments(call.parameters) };
    } catch (error) {
      if (error instanceof RenderError) return { refused: error };
      throw error;
    }
  }

  return {
    async render(call): Promise<Rendering> {
      const args = rendered(call);
      if ("parameters" in args) return executor.render({ ...call, parameters: args.parameters });
      // The call will be rejected. Until then, its hash identifies what the model requested.
      const asked = JSON.stringify([name, call.toolCallId, call.parameters]);
      return { request: null, hash: `sha256:${createHash("sha256").update(asked).digest("hex")}` };
    },
    async execute(call, context): Promise<ToolOutcome> {
      const args = rendered(call);
      if ("parameters" in args) return executor.execute({ ...call, parameters: args.parameters }, context);
      const { code, message } = args.refused;
      const failure = { code, message, source: "gateway", isRetryable: true, outcome: "none" } as const;
      return { answer: { failure }, cost: { usd: 0, credits: 0 } };
    },
  };
}
