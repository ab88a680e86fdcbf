import type { AgentDefinition } from "@yagate/client";
import { checkStock, reserveStock } from "./tools.ts";

/** @param handler - the URL of the service's tools. */
export function describeAgent(handler: string): Omit<AgentDefinition, "model"> {
  return {
    name: "Stock desk",
    systemPrompt: "You say what is in stock and reserve it when you are asked to.",
    tools: [
      {
        ...checkStock,
        handler,
        retries: 2,
        sideEffect: "read_only",
      },
      {
        ...reserveStock,
        handler,
        retries: 3,
        // A reservation has the call's id: the same call twice takes one.
        sideEffect: "idempotent_write",
      },
    ],
  };
}
