import type { AgentDefinition } from "@yagate/client";
import { orderTotals, searchOrders } from "./tools.ts";

/** @param handler - the URL of the service's tools. */
export function describeAgent(handler: string): Omit<AgentDefinition, "model"> {
  return {
    name: "Order desk",
    systemPrompt: "You answer a customer's questions about their orders. Use the tools; never guess.",
    tools: [
      {
        ...searchOrders,
        handler,
        timeout: 5_000,
        retries: 2,
        sideEffect: "read_only",
      },
      {
        ...orderTotals,
        handler,
        timeout: 5_000,
        retries: 2,
        sideEffect: "read_only",
      },
      { builtin: "calculator" },
      { builtin: "datetime" },
    ],
  };
}
