import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createGateway } from "@yagate/gateway";
import express from "express";
import { benchAgent, EXECUTION_REQUEST } from "../bench-gateway.ts";
import { reportCpu } from "../block-driver.ts";
import { UNLIMITED_PLANS } from "../unlimited-plans.ts";
import { createLoop } from "./ai-sdk-loop.ts";
import type { ServedRequests } from "./served-side.ts";

// Serves executions over HTTP and reports its CPU time whenever the parent asks.
const API_KEY = "yk_execution-bench-0123456789abcdefghijk";
const [side, webhookUrl, signingSecret] = process.argv.slice(2);
if (webhookUrl === undefined || signingSecret === undefined) throw new Error("expected the webhook's URL and a secret");

const { requests, close } = side === "yagate" ? await serveGateway() : await serveLoop(side === "tuned");
reportCpu(requests, close);

async function serveGateway() {
  const dataDir = await mkdtemp(join(tmpdir(), "yagate-bench-"));
  const gateway = createGateway({
    port: 0,
    dataDir,
    apiKey: API_KEY,
    signingSecret: signingSecret ?? "",
    plans: UNLIMITED_PLANS,
    allowCidrs: ["127.0.0.0/8"],
    logLevel: "error",
  });
  const { url } = await gateway.start();
  const headers = { authorization: `Bearer ${API_KEY}`, "content-type": "application/json" };
  const created = await fetch(`${url}/v1/agents`, {
    method: "POST",
    headers,
    body: JSON.stringify(benchAgent(webhookUrl ?? "")),
  });
  const { id } = (await created.json()) as { readonly id: string };
  const body = JSON.stringify(EXECUTION_REQUEST);
  const requests: ServedRequests = {
    url,
    execute: { path: `/v1/agents/${id}/executions`, headers: { ...headers, prefer: "wait=30" }, body },
    stream: { path: `/v1/agents/${id}/executions/stream`, headers, body },
  };
  return {
    requests,
    async close() {
      await gateway.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

async function serveLoop(isTuned: boolean) {
  const loop = createLoop(webhookUrl ?? "", { isTuned });
  const app = express();
  app.use(express.json());
  app.post("/execute", async (_request, response) => {
    response.json({ text: await loop.execute() });
  });
  app.post("/stream", async (_request, response) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    for await (const text of loop.stream()) response.write(`data: ${JSON.stringify({ text })}\n\n`);
    response.end("data: [DONE]\n\n");
  });
  const server = app.listen(0, "127.0.0.1");
  await once(server, "listening");
  const headers = { "content-type": "application/json" };
  const body = JSON.stringify(EXECUTION_REQUEST);
  const requests: ServedRequests = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    execute: { path: "/execute", headers, body },
    stream: { path: "/stream", headers, body },
  };
  return {
    requests,
    async close() {
      server.close();
    },
  };
}
