import { once } from "node:events";
import { createServer, type RequestListener, type Server } from "node:http";
import { serve } from "@hono/node-server";
import { type CallHandler, createHandler, defineTool, ToolError } from "@yagate/handler";
import { toExpress } from "@yagate/handler/express";
import { toNodeListener } from "@yagate/handler/node";
import express from "express";
import { Hono } from "hono";
import { onTestFinished } from "vitest";
import { z } from "zod";
import { OTHER_SECRET, SECRET } from "./signed-request.ts";

const SILENT = { debug() {}, info() {}, warn() {}, error() {} };

/** A handler made with the kit, with the tools that all cases need. */
export function kitHandler(audience: string | undefined): CallHandler {
  let runs = 0;
  const ping = defineTool({
    name: "ping",
    description: "Answers with the number of its run.",
    parameters: z.object({ text: z.string().optional() }),
    execute: () => {
      runs += 1;
      return { run: runs };
    },
  });
  const flaky = defineTool({
    name: "flaky",
    description: "Fails at its first attempt.",
    parameters: z.object({}),
    execute(_parameters, { attempt }) {
      if (attempt === 1) throw new ToolError("BUSY", "try again", { retryable: true });
      return "done";
    },
  });
  return createHandler({ secrets: [SECRET, OTHER_SECRET], tools: [ping, flaky], audience, logger: SILENT });
}

/** The kit in the servers that people mount it in. */
export const KIT_SERVERS: readonly (readonly [string, (handler: CallHandler) => Promise<string>])[] = [
  ["Express", (handler) => listen(express().post("/tools", toExpress(handler)))],
  ["node:http", (handler) => listen(toNodeListener(handler))],
  [
    "Hono",
    async (handler) => {
      const app = new Hono().post("/tools", (context) => handler(context.req.raw));
      return urlOf(serve({ fetch: app.fetch, port: 0, hostname: "127.0.0.1" }) as Server);
    },
  ],
];

/** Express with its own reader of bytes in front: in development its page of an error holds a stack trace. */
export function mountAfterExpressRaw(handler: CallHandler, env: "production" | "development"): Promise<string> {
  const app = express().set("env", env);
  return listen(app.use(express.raw({ type: () => true, limit: "1mb" })).post("/tools", toExpress(handler)));
}

function listen(listener: RequestListener): Promise<string> {
  return urlOf(createServer(listener).listen(0, "127.0.0.1"));
}

async function urlOf(server: Server): Promise<string> {
  if (!server.listening) await once(server, "listening");
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("expected a port");
  return `http://127.0.0.1:${address.port}/tools`;
}
