import type { JsonObject } from "@yagate/protocol";
import type { ModelTool } from "../../../src/models/port.ts";
import { builtinTools } from "../../../src/tools/builtin/builtin-tools.ts";

/** A tool of these parameters, all of them required unless said otherwise. */
export function tool(
  name: string,
  description: string,
  properties: Readonly<Record<string, JsonObject>>,
  required: readonly string[] = Object.keys(properties),
): ModelTool {
  return { name, description, parameters: { type: "object", properties, required: [...required] } };
}

const text: JsonObject = { type: "string" };

/** A shop's tools, close enough to each other to be confused, and the built-in ones. */
export const SHOP: readonly ModelTool[] = [
  tool("lookup_order", "Look up an order's status.", { orderId: text }),
  tool("cancel_order", "Cancel an order.", { orderId: text, reason: text }, ["orderId"]),
  tool("refund_order", "Refund an order.", { orderId: text, amount: { type: "number", minimum: 0 } }),
  tool("order_history", "What happened to an order.", { orderId: text }),
  tool("shipping_quote", "Price of shipping to a city.", {
    city: text,
    speed: { type: "string", enum: ["standard", "express"] },
  }),
  tool("check_inventory", "How many pieces of an article are in stock.", {
    sku: { type: "string", description: "Article number, such as SKU-123" },
  }),
  tool("send_email", "Send an e-mail.", { to: { type: "string", format: "email" }, subject: text, body: text }),
  tool("book_meeting", "Book a meeting in the calendar.", {
    title: text,
    start: { type: "string", format: "date-time" },
    durationMinutes: { type: "integer" },
  }),
  tool("post_message", "Post a message to a chat channel.", { channel: text, text }),
  tool("get_weather", "Current weather in a city.", { city: text }),
  tool("list_products", "All products.", {}),
  tool("convert_currency", "Convert an amount of money.", {
    amount: { type: "number" },
    from: { type: "string", description: "ISO 4217 code" },
    to: { type: "string", description: "ISO 4217 code" },
  }),
  tool("query_customers", "Find customers in the database.", { city: text, limit: { type: "integer", default: 10 } }),
  ...builtins(),
];

function builtins(): readonly ModelTool[] {
  return [...builtinTools().values()].map(({ name, description, parameters }) => {
    const schema: JsonObject = JSON.parse(JSON.stringify(parameters));
    return { name, description, parameters: schema };
  });
}
