import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";
import { afterAll, beforeEach, describe, expect, it } from "vitest";
import * as z from "zod";
import { createRecorder } from "../../../telemetry/test/support/traced-world.ts";
import { execute, expectStatus, makeAgent } from "../http/support/agents.ts";
import { startWorld } from "../http/support/world.ts";

const MODEL = "house-1-2026-11-01";
const ID = "chatcmpl-42";
const named = { id: ID, model: MODEL };
let said: object = named;
beforeEach(() => {
  said = named;
});

function answerWhole(response: ServerResponse): void {
  const choice = { index: 0, message: { role: "assistant", content: "ok" }, finish_reason: "stop" };
  const usage = { prompt_tokens: 3, completion_tokens: 1, total_tokens: 4 };
  response.writeHead(200, { "content-type": "application/json" });
  response.end(JSON.stringify({ ...said, choices: [choice], usage }));
}

function answerStreamed(response: ServerResponse): void {
  const piece = (delta: object, finish_reason: string | null) =>
    `data: ${JSON.stringify({ ...said, choices: [{ index: 0, delta, finish_reason }] })}\n\n`;
  response.writeHead(200, { "content-type": "text/event-stream" });
  response.end(`${piece({ role: "assistant", content: "ok" }, null)}${piece({}, "stop")}data: [DONE]\n\n`);
}

const streamSchema = z.looseObject({ stream: z.boolean().optional() });
const server = createServer(async (request, response) => {
  const { stream = false } = streamSchema.parse(await json(request));
  if (stream) answerStreamed(response);
  else answerWhole(response);
});
server.listen(0, "127.0.0.1");
await once(server, "listening");
afterAll(() => {
  server.close();
  server.closeAllConnections();
});
const { port } = server.address() as AddressInfo;
const baseUrl = `http://127.0.0.1:${port}/v1`;

const recorder = createRecorder();
const world = await startWorld({
  logLevel: "silent",
  tracerProvider: recorder.provider,
  providers: { house: { baseUrl } },
});
afterAll(() => world.stop());
let count = 0;

/** The attributes of the model turn of an execution that has ended. */
async function attributesOf(run: (agentId: string) => Promise<unknown>, model = `house/m${++count}`) {
  const agent = await makeAgent(world, { model });
  await run(agent.id);
  const [span] = await recorder.spans(`chat ${model.split("/")[1]}`);
  return span?.attributes ?? {};
}

const whole = (id: string) => execute(world, id, { input: "go" });
const streamed = async (id: string) => {
  const response = await world.open("executeAgentStream", { params: { id }, body: { input: "go" } });
  return response.text();
};

describe("the span of a model turn", () => {
  it.each([
    ["whole", whole],
    ["streamed", streamed],
  ])("says of a %s answer which model gave it, under which id, and from where", async (_form, run) => {
    expect(await attributesOf(run)).toMatchObject({
      "gen_ai.response.id": ID,
      "gen_ai.response.model": MODEL,
      "server.address": "127.0.0.1",
      "server.port": port,
    });
  });

  it.each([
    ["whole", whole],
    ["streamed", streamed],
  ])("says nothing of a %s answer that has no name and no id", async (_form, run) => {
    said = {};
    const attributes = await attributesOf(run);
    expect(attributes).toMatchObject({
      "server.address": "127.0.0.1",
      "gen_ai.usage.output_tokens": expect.anything(),
    });
    expect(Object.keys(attributes).filter((name) => /response\.(?:id|model)$/.test(name))).toEqual([]);
  });

  it("names the server of a workspace's own provider, also where the turn failed", async () => {
    const provider = { apiKey: "workspace-secret://NONE", baseUrl: "https://models.example.com/v1" };
    expectStatus(await world.call("putProvider", { params: { name: "away" }, body: provider }), 200);
    expect(await attributesOf(whole, "away/m-away")).toMatchObject({
      "server.address": "models.example.com",
      "server.port": 443,
    });
  });

  it("names no server of a scripted model", async () => {
    const script = { turns: [{ text: "done" }] };
    const attributes = await attributesOf((id) => execute(world, id, { input: "go", script }), "scripted/turns");
    expect(Object.keys(attributes).filter((name) => name.startsWith("server."))).toEqual([]);
  });
});

it("the event of an answer has what the provider said of it", async () => {
  const { id } = await execute(world, (await makeAgent(world, { model: "house/m" })).id, { input: "go" });
  const events = await (await world.open("followExecution", { params: { id } })).text();
  expect(events).toContain(JSON.stringify({ response: named }).slice(1, -1));
  expect(events).not.toContain(`"${port}"`);
});
