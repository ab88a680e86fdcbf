import { createHandler } from "@yagate/handler";
import { openOrders } from "./orders.ts";
import { createOrderTools } from "./tools.ts";

const orders = openOrders(process.env["ORDERS_DATABASE"] ?? "orders.db");

export const handler = createHandler({
  secrets: process.env["YAGATE_SIGNING_SECRET"],
  tools: createOrderTools(orders),
});
