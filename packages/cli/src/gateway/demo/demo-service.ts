import { once } from "node:events";
import { createServer } from "node:http";
import { createHandler, defineTool, ToolError } from "@yagate/handler";
import { toNodeListener } from "@yagate/handler/node";
import * as z from "zod";
import { freePort } from "../free-port.ts";

const HOST = "127.0.0.1";
const FIRST_PORT = 4_890;
/** A path that a user's handler is unlikely to have: it identifies the demo agent. */
const PATH = "/yagate-demo/tools";

const ORDERS: Readonly<Record<string, { readonly status: string; readonly expected: string }>> = {
  "ORD-12345": { status: "shipped", expected: "tomorrow" },
  "ORD-67890": { status: "being packed", expected: "in four days" },
};

/** The tools of the demo, as `agents.create` takes them, without their handler. */
export const DEMO_TOOLS = {
  lookupOrder: {
    name: "lookup_order",
    description: "Look up an order by its number, such as ORD-12345: its status and when it is expected.",
    parameters: z.object({ orderId: z.string().regex(/^ORD-\d+$/) }),
    sideEffect: "read_only",
    retries: 2,
  },
  shippingQuote: {
    name: "shipping_quote",
    description: "Get the price of shipping to a city, standard or express.",
    parameters: z.object({ city: z.string(), speed: z.enum(["standard", "express"]) }),
    sideEffect: "read_only",
  },
} as const;

/** Whether a handler URL is that of the demo, whichever port it had. */
export function isDemoUrl(url: string): boolean {
  return url.startsWith(`http://${HOST}:`) && url.endsWith(PATH);
}

/** A running handler of the demo. */
export interface DemoService {
  readonly url: string;
  stop(): void;
}

/**
 * Starts the handler of the demo on the loopback interface. The first attempt of each lookup fails, and
 * so does every quote, so that the live log shows a retry and a failure.
 */
export async function startDemoService(signingSecret: string): Promise<DemoService> {
  const lookupOrder = defineTool({
    ...definitionOf(DEMO_TOOLS.lookupOrder),
    execute({ orderId }, { attempt }) {
      if (attempt === 1) throw new ToolError("DATABASE_BUSY", "the order database is busy", { retryable: true });
      const order = ORDERS[orderId];
      if (order === undefined) throw new ToolError("ORDER_NOT_FOUND", `there is no order ${orderId}`);
      return { orderId, ...order };
    },
  });
  const shippingQuote = defineTool({
    ...definitionOf(DEMO_TOOLS.shippingQuote),
    execute() {
      throw new ToolError("CARRIER_DOWN", "the carrier's price service does not respond");
    },
  });
  const handler = createHandler({ secrets: [signingSecret], tools: [lookupOrder, shippingQuote] });
  // The same port each time, if it is free, so that the agent needs no new version.
  const port = await freePort(HOST, FIRST_PORT, () => {});
  const server = createServer(toNodeListener(handler)).listen(port, HOST);
  await once(server, "listening");
  return {
    url: `http://${HOST}:${port}${PATH}`,
    stop() {
      server.close();
      server.closeAllConnections();
    },
  };
}

/** Returns the part of a tool that its handler needs too. */
function definitionOf<Parameters>(tool: { name: string; description: string; parameters: Parameters }) {
  const { name, description, parameters } = tool;
  return { name, description, parameters };
}
