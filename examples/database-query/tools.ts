import { defineTool, ToolError } from "@yagate/handler";
import { z } from "zod";
import type { openOrders } from "./orders.ts";

const MAX_ORDERS = 20;

const parameters = z.object({
  status: z.enum(["open", "delivered", "cancelled"]).optional().describe("only orders in this status"),
  item: z.string().max(100).optional().describe("only orders whose item's name has this in it"),
  placedFrom: z.iso.date().optional().describe("first day on which they were placed, YYYY-MM-DD"),
  placedTo: z.iso.date().optional().describe("last day on which they were placed, YYYY-MM-DD"),
});

export const searchOrders = {
  name: "search_orders",
  description: "Search the customer's own orders, newest first.",
  parameters,
};

export const orderTotals = {
  name: "order_totals",
  description: "Count the customer's own orders and add up their value in cents, by status.",
  parameters,
};

/** The tools of the order database. The application, not the model, determines whose orders they read. */
export function createOrderTools(orders: ReturnType<typeof openOrders>) {
  return [
    defineTool({
      ...searchOrders,
      execute(query, { caller }) {
        const found = orders.find(customerOf(caller), query, MAX_ORDERS + 1);
        return { orders: found.slice(0, MAX_ORDERS), hasMore: found.length > MAX_ORDERS };
      },
    }),
    defineTool({
      ...orderTotals,
      execute: (query, { caller }) => ({ totals: orders.totals(customerOf(caller), query) }),
    }),
  ];
}

/** `caller` is in the signed body and comes from the application that started the execution. */
function customerOf(caller: Readonly<Record<string, unknown>> | undefined): string {
  const customerId = caller?.["customerId"];
  if (typeof customerId === "string") return customerId;
  throw new ToolError("CUSTOMER_UNKNOWN", "the application did not say which customer is asking");
}
