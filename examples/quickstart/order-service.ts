import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { createHandler, defineTool, ToolError } from "@yagate/handler";
import { toExpress } from "@yagate/handler/express";
import express from "express";
import { z } from "zod";

const ORDERS = new Map([
  ["ORD-12345", { status: "shipped", carrier: "DHL", expected: "2026-11-24", items: ["teapot", "two cups"] }],
  ["ORD-67890", { status: "being packed", carrier: null, expected: "2026-11-27", items: ["reading lamp"] }],
]);

export const lookupOrderParameters = z.object({
  orderId: z
    .string()
    .regex(/^ORD-\d+$/)
    .describe("the order's number, such as ORD-12345"),
});

export const shippingQuoteParameters = z.object({
  city: z.string().describe("destination city, such as Berlin"),
  speed: z.enum(["standard", "express"]).describe("how fast it must arrive"),
});

/** A company's own service. It holds the data, and agents can act on it only through signed calls. */
export async function startOrderService(secret: string, say: (line: string) => void) {
  const lookupOrder = defineTool({
    name: "lookup_order",
    description: "Look up an order by its number: status, carrier, expected delivery.",
    parameters: lookupOrderParameters,
    execute({ orderId }, { attempt }) {
      say(`lookup_order("${orderId}"), attempt ${attempt}: the signature is valid`);
      // In this demo, the first attempt always fails, so that you can watch a retry.
      if (attempt === 1) throw new ToolError("DATABASE_BUSY", "the order database is busy", { retryable: true });
      const order = ORDERS.get(orderId);
      if (order === undefined) throw new ToolError("ORDER_NOT_FOUND", `there is no order ${orderId}`);
      return { orderId, ...order };
    },
  });

  const shippingQuote = defineTool({
    name: "shipping_quote",
    description: "Get the price of shipping to a city, standard or express.",
    parameters: shippingQuoteParameters,
    execute({ city, speed }) {
      say(`shipping_quote("${city}", "${speed}"): the signature is valid, but the carrier does not respond`);
      throw new ToolError("CARRIER_DOWN", "the carrier's price service does not respond");
    },
  });

  const app = express();
  app.use("/tools", toExpress(createHandler({ secrets: [secret], tools: [lookupOrder, shippingQuote] })));
  const server = app.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/tools`,
    async stop() {
      server.close();
      server.closeAllConnections();
    },
  };
}
