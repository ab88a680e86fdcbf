import type { AgentDefinition } from "@yagate/client";
import { lookupOrderParameters, shippingQuoteParameters } from "./order-service.ts";

/** @param handler - the URL of the service's tools. */
export function describeAgent(handler: string): Omit<AgentDefinition, "model"> {
  return {
    name: "Order desk",
    systemPrompt: "You answer questions about orders. Use the tools; never guess.",
    tools: [
      {
        name: "lookup_order",
        description: "Look up an order by its number: status, carrier, expected delivery.",
        parameters: lookupOrderParameters,
        handler,
        sideEffect: "read_only",
        retries: 2,
      },
      {
        name: "shipping_quote",
        description: "Get the price of shipping to a city, standard or express.",
        parameters: shippingQuoteParameters,
        handler,
        sideEffect: "read_only",
      },
      { builtin: "calculator" },
      { builtin: "datetime" },
    ],
  };
}
