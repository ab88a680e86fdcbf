import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createGateway } from "@yagate/gateway";
import { createHandler, defineTool } from "@yagate/handler";
import { toNodeListener } from "@yagate/handler/node";
import { onTestFinished } from "vitest";
import * as z from "zod";
import { KEYS } from "./command.ts";
import { type Checked, runCheck, spawnCheck } from "./run-check.ts";
import { SECRET } from "./signed-request.ts";

type Tool = ReturnType<typeof defineTool>;

/** A handler on this machine whose tools a test changes. */
export interface ChangingHandler {
  readonly url: string;
  tools: readonly Tool[];
  stop(): void;
}

/** A gateway with the signing secret of its handlers, and the commands to manage its sources. */
export interface SourceWorld {
  readonly env: Readonly<Record<"YAGATE_BASE_URL" | "YAGATE_API_KEY", string>>;
  stop(): Promise<void>;
  /** Runs a command in this process, without a terminal. */
  run(...args: readonly string[]): Promise<Checked>;
  /** Does the same with `yagate sources …`. */
  sources(...args: readonly string[]): Promise<Checked>;
  /** Does the same in a process of its own. */
  spawn(...args: readonly string[]): Promise<Checked>;
}

export async function startSourceWorld(): Promise<SourceWorld> {
  const { YAGATE_API_KEY } = KEYS;
  const dataDir = await mkdtemp(join(tmpdir(), "yagate-sources-"));
  const gateway = createGateway({
    ...{ port: 0, dataDir, apiKey: YAGATE_API_KEY, signingSecret: SECRET, logLevel: "silent" },
    allowCidrs: ["127.0.0.0/8"],
  });
  const { url } = await gateway.start();
  const env = { YAGATE_BASE_URL: url, YAGATE_API_KEY };
  return {
    env,
    async stop() {
      await gateway.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
    run: (...args) => runCheck(args, { env }),
    sources: (...args) => runCheck(["sources", ...args], { env }),
    spawn: (...args) => spawnCheck(["sources", ...args], { env }),
  };
}

/** Starts a handler that describes its tools. */
export async function startChangingHandler(tools: readonly Tool[], secret = SECRET): Promise<ChangingHandler> {
  const handler = { tools };
  const server = createServer((request, response) => {
    void toNodeListener(createHandler({ secrets: [secret], tools: [...handler.tools] }))(request, response);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const stop = () => {
    server.close();
    server.closeAllConnections();
  };
  onTestFinished(stop);
  const address = server.address();
  const url = `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}/tools`;
  return Object.assign(handler, { url, stop });
}

/** A tool that looks up orders, with a description of its own. */
export function lookupOrder(description = "Look up an order by its number."): Tool {
  return defineTool({
    name: "lookup_order",
    description,
    parameters: z.object({ orderId: z.string().describe("such as ORD-7"), history: z.boolean().optional() }),
    sideEffect: "read_only",
    execute: ({ orderId }) => ({ orderId }),
  });
}

/** A tool that declares no side effect. */
export function cancelOrder(): Tool {
  return defineTool({
    name: "cancel_order",
    description: "Cancel an order.\nAsk before.",
    parameters: z.object({ orderId: z.string() }),
    usageNotes: "Only for orders that are not shipped.",
    execute: ({ orderId }) => ({ orderId }),
  });
}
