import type { ExecutionEvent } from "@yagate/protocol";
import { expect, it } from "vitest";
import { createGateway } from "../../src/gateway.ts";
import { calling } from "../http/support/agents.ts";
import { startHandler, workTool } from "../http/support/handler.ts";
import { makeDataDir } from "./support/lines-while.ts";

const API_KEY = "yk_0123456789abcdef0123456789abcdef";

/** Executes an agent once in a gateway with this listener, and returns its stored events. */
async function storedEvents(onEvent: (event: ExecutionEvent) => void): Promise<readonly ExecutionEvent[]> {
  const handler = await startHandler({ status: 200, body: { result: 1 } });
  const dataDir = await makeDataDir();
  const gateway = createGateway({
    port: 0,
    dataDir,
    apiKey: API_KEY,
    allowCidrs: ["127.0.0.0/8"],
    logLevel: "silent",
    onEvent,
  });
  const { url } = await gateway.start();
  const send = async (method: string, path: string, body?: object) => {
    const headers = { authorization: `Bearer ${API_KEY}`, "content-type": "application/json", prefer: "wait=30" };
    const response = await fetch(`${url}${path}`, { method, headers, ...(body && { body: JSON.stringify(body) }) });
    return response.text();
  };
  try {
    const agent = { name: "Desk", model: "scripted/turns", tools: [workTool(handler.url)] };
    const { id } = JSON.parse(await send("POST", "/v1/agents", agent));
    const execution = JSON.parse(await send("POST", `/v1/agents/${id}/executions`, calling("work")));
    expect(execution.status).toBe("completed");
    const stream = await send("GET", `/v1/executions/${execution.id}/events`);
    return [...stream.matchAll(/^data: (.+)$/gm)].map(([, data = ""]) => JSON.parse(data));
  } finally {
    await gateway.stop();
  }
}

it("onEvent receives each stored event once, in the order of the log", async () => {
  const received: ExecutionEvent[] = [];
  const stored = await storedEvents((event) => received.push(event));
  expect(received.map(({ seq }) => seq)).toEqual(stored.map((_, index) => index + 1));
  expect(received).toEqual(stored);
  expect(received.at(-1)?.type).toBe("execution.completed");
});

it("an exception of onEvent changes nothing", async () => {
  const stored = await storedEvents(() => {
    throw new Error("a listener that always fails");
  });
  expect(stored.at(-1)?.type).toBe("execution.completed");
});
