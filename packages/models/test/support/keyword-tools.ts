import { builtinTools } from "@yagate/builtins/builtin-tools";
import type { JsonObject } from "@yagate/protocol";
import type { ModelTool } from "../../src/port.ts";

/** A tool of these parameters, all of them required unless said otherwise. */
export function tool(
  name: string,
  properties: Readonly<Record<string, JsonObject>>,
  required: readonly string[] = Object.keys(properties),
): ModelTool {
  return { name, description: "", parameters: { type: "object", properties, required: [...required] } };
}

const text: JsonObject = { type: "string" };
const sku: JsonObject = { type: "string", pattern: "^SKU-\\d{1,8}$" };
const payment: JsonObject = { type: "string", pattern: "^pay_[0-9]+$" };
const minutes: JsonObject = { type: "integer", minimum: 15, maximum: 240, default: 30 };
const day: JsonObject = { type: "string", format: "date", pattern: "^\\d{4}-\\d{2}-\\d{2}$" };
const filters = { status: { type: "string", enum: ["open", "delivered", "cancelled"] }, placedFrom: day };

/** The tools of the README, of the demo and of the examples, each with the built-in ones. */
export const AGENTS = {
  host: [tool("book_table", { guests: { type: "integer", minimum: 1, maximum: 12 }, time: text }), ...builtins()],
  demo: [
    tool("lookup_order", { orderId: { type: "string", pattern: "^ORD-\\d+$" } }),
    tool("shipping_quote", { city: text, speed: { type: "string", enum: ["standard", "express"] } }),
    ...builtins(),
  ],
  calendar: [
    tool("find_free_slots", { date: day, minutes }, ["date"]),
    tool(
      "book_meeting",
      {
        start: { type: "string", format: "date-time" },
        minutes,
        title: text,
        attendee: { type: "string", format: "email" },
      },
      ["start", "title"],
    ),
    ...builtins(),
  ],
  chat: [tool("notify_channel", { channel: { type: "string", pattern: "^[a-z0-9][a-z0-9_-]{0,79}$" }, text })],
  orders: [tool("search_orders", filters, []), tool("order_totals", filters, []), ...builtins()],
  mail: [tool("send_email", { to: { type: "string", format: "email" }, subject: text, text })],
  stock: [
    tool("check_stock", { sku }),
    tool("reserve_stock", { sku, pieces: { type: "integer", minimum: 1, maximum: 100 } }),
  ],
  payments: [
    tool("find_payment", { payment }),
    tool("refund_payment", { payment, amount: { type: "integer", minimum: 1, maximum: 50_000 } }),
  ],
  weather: [tool("get_weather", { city: text }), ...builtins()],
} satisfies Record<string, readonly ModelTool[]>;

function builtins(): readonly ModelTool[] {
  return [...builtinTools().values()].map(({ name, description, parameters }) => {
    const schema: JsonObject = JSON.parse(JSON.stringify(parameters));
    return { name, description, parameters: schema };
  });
}
