import { defined } from "@yagate/lib/objects/defined";
import type { HandlerToolDefinition } from "@yagate/protocol";
import type { AddedHeaders, CallContent, Dispatcher } from "../../webhooks/port.ts";
import type { ToolCall, ToolExecutor } from "../port.ts";

/** Runs one attempt of a tool whose code is its author's webhook. */
export function createHandlerExecutor(
  dispatcher: Dispatcher,
  tool: HandlerToolDefinition,
  headers?: AddedHeaders,
): ToolExecutor {
  function contentOf({ agentId, executionId, toolCallId, parameters, caller }: ToolCall): CallContent {
    const added = headers === undefined ? {} : { addedHeaders: headers };
    const content = { agentId, executionId, toolCallId, tool, parameters, ...added };
    return caller === undefined ? content : { ...content, caller };
  }

  return {
    render: (call) => dispatcher.render(contentOf(call)),
    async execute(call, context) {
      const { workspaceId, attempt, trace } = call;
      const own = { workspaceId, number: attempt, ...defined({ trace }) };
      const { answer, ...exchange } = await dispatcher.attempt({ ...contentOf(call), ...own, ...context });
      return { answer, cost: { usd: 0, credits: 0 }, exchange };
    },
  };
}
