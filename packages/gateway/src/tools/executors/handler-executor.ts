import type { HandlerToolDefinition } from "@yagate/protocol";
import type { CallContent, Dispatcher } from "../../dispatch/port.ts";
import type { ToolCall, ToolExecutor } from "../port.ts";

/** Runs one attempt of a tool whose code is its author's webhook. */
export function createHandlerExecutor(dispatcher: Dispatcher, tool: HandlerToolDefinition): ToolExecutor {
  function contentOf({ agentId, executionId, toolCallId, parameters, caller }: ToolCall): CallContent {
    const content = { agentId, executionId, toolCallId, tool, parameters };
    return caller === undefined ? content : { ...content, caller };
  }

  return {
    render: (call) => dispatcher.render(contentOf(call)),
    async execute(call, context) {
      const { workspaceId, attempt } = call;
      const request = { ...contentOf(call), workspaceId, number: attempt, ...context };
      const { answer, ...exchange } = await dispatcher.attempt(request);
      return { answer, cost: { usd: 0, credits: 0 }, exchange };
    },
  };
}
