import type { HandlerToolDefinition } from "@yagate/protocol";
import type { Dispatcher } from "../../dispatch/port.ts";
import type { ToolExecutor } from "../port.ts";

/** Runs one attempt of a tool whose code is its author's webhook. */
export function createHandlerExecutor(dispatcher: Dispatcher, tool: HandlerToolDefinition): ToolExecutor {
  return {
    async execute(call, context) {
      const { workspaceId, agentId, executionId, toolCallId, parameters, attempt, caller, trace } = call;
      const { answer, ...exchange } = await dispatcher.attempt({
        workspaceId,
        agentId,
        executionId,
        toolCallId,
        tool,
        parameters,
        number: attempt,
        ...context,
        ...(caller === undefined ? {} : { caller }),
        ...(trace === undefined ? {} : { trace }),
      });
      return { answer, cost: { usd: 0, credits: 0 }, exchange };
    },
  };
}
