import { createServer } from "node:http";
import type { HandlerToolInput } from "@yagate/client";
import { type CreateHandlerOptions, createHandler } from "@yagate/handler";
import { toExpress } from "@yagate/handler/express";
import express, { type Express, type Request, type Response } from "express";
import { listenOnLoopback } from "../../services/listen-on-loopback.ts";

const SILENT = { debug() {}, info() {}, warn() {}, error() {} };

/** A company's service: an Express application with the handler kit. Gives its tools' URL. */
export async function startService(secret: string, tools: CreateHandlerOptions["tools"]): Promise<string> {
  const app = express();
  app.post("/tools", toExpress(createHandler({ secrets: [secret], tools, logger: SILENT })));
  return `${await listen(app)}/tools`;
}

/** A call as it arrived, before anybody parsed it. */
export interface RawCall {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
  readonly at: number;
}

export interface RawService {
  readonly url: string;
  readonly calls: readonly RawCall[];
}

/** A service without the kit: it sees every byte and answers what the test says. */
export async function startRawService(
  answer: (response: Response, call: RawCall, count: number) => void | Promise<void>,
): Promise<RawService> {
  const calls: RawCall[] = [];
  const app = express();
  app.post("/tools", express.raw({ type: () => true, limit: "2mb" }), async (request: Request, response: Response) => {
    const headers = Object.entries(request.headers).map(([name, value]) => [name, String(value)] as const);
    const call = { headers: Object.fromEntries(headers), body: request.body, at: Date.now() };
    calls.push(call);
    await answer(response, call, calls.length);
  });
  return { url: `${await listen(app)}/tools`, calls };
}

/** A service that is asked once the test says so. */
export async function listen(app: Express): Promise<string> {
  return listenOnLoopback(createServer(app));
}

/** The definition of a tool at a URL. */
export function toolAt(handler: string, change: Partial<HandlerToolInput> = {}): HandlerToolInput {
  return {
    name: "lookup_order",
    description: "Look up an order.",
    parameters: { type: "object", properties: { orderId: { type: "string" } }, required: ["orderId"] },
    handler,
    ...change,
  };
}

/** A turn in which the model calls tools. */
export function calls(...names: readonly string[]) {
  return { toolCalls: names.map((name) => ({ name, parameters: { orderId: "ORD-1" } })) };
}
