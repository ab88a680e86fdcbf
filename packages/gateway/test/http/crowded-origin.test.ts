import { createServer } from "node:http";
import { createdApiKeySchema, type Execution, executionSchema, workspaceSchema } from "@yagate/protocol";
import { expect, it, onTestFinished } from "vitest";
import { listenOnLoopback } from "../../../../test/services/listen-on-loopback.ts";
import { calling, expectStatus, makeAgent } from "./support/agents.ts";
import { type App, startApp } from "./support/app.ts";
import { startHandler, workTool } from "./support/handler.ts";

/** More than one workspace may have connections to one origin. */
const CROWD = 260;

async function makeKey(app: App, name: string): Promise<string> {
  const { id: workspaceId } = workspaceSchema.parse(
    expectStatus(await app.call("createWorkspace", { body: { name } }), 201),
  );
  const body = { name, workspaceId, scopes: ["agents", "executions"] };
  return createdApiKeySchema.parse(expectStatus(await app.call("createApiKey", { body }), 201)).key;
}

async function startCrowd(app: App, agentIds: readonly string[], key: string, body: unknown): Promise<void> {
  for (let started = 0; started < CROWD; started += 20) {
    const calls = Array.from({ length: 20 }, (_, index) => {
      const id = agentIds[(started + index) % agentIds.length] ?? "";
      return app.call("executeAgent", { params: { id }, body, key });
    });
    for (const answer of await Promise.all(calls)) expectStatus(answer, 201);
  }
}

/** OpenAI's chat completions, of which the model `quick` answers and no other does. */
async function startModels() {
  let hanging = 0;
  const server = createServer(async (request, response) => {
    let body = "";
    for await (const chunk of request) body += chunk;
    if (JSON.parse(body).model !== "quick") {
      hanging += 1;
      return;
    }
    const choices = [{ index: 0, message: { role: "assistant", content: "ok" }, finish_reason: "stop" }];
    const usage = { prompt_tokens: 3, completion_tokens: 1, total_tokens: 4 };
    response.setHeader("content-type", "application/json").end(JSON.stringify({ id: "chat_1", choices, usage }));
  });
  const origin = await listenOnLoopback(server);
  return { url: `${origin}/v1`, hanging: () => hanging };
}

it("a workspace whose calls hang at an origin leaves another its calls there", async () => {
  const app = await startApp({ config: { endpointConcurrency: 300 } });
  onTestFinished(() => app.stop());
  const handler = await startHandler({ isHeld: true });
  const [greedy, modest] = [await makeKey(app, "greedy"), await makeKey(app, "modest")];
  const tools = [workTool(handler.url, { timeout: 60_000 })];
  const crowded = await makeAgent(app, { tools }, { key: greedy });
  await startCrowd(app, [crowded.id], greedy, calling("work"));
  await handler.called(256);
  const agent = await makeAgent(app, { tools }, { key: modest });
  const { id } = await startOne(app, agent.id, modest);
  await handler.called(257);
  expect(handler.requests[256]?.body).toMatchObject({ executionId: id });
  handler.release();
  await expect.poll(() => statusOf(app, id, modest)).toBe("completed");
});

it("a workspace whose model turns hang at a provider leaves another its turns there", async () => {
  const models = await startModels();
  const app = await startApp({ config: { providers: { mine: { baseUrl: models.url } } } });
  onTestFinished(() => app.stop());
  const [greedy, modest] = [await makeKey(app, "greedy"), await makeKey(app, "modest")];
  const crowded = await makeAgent(app, { model: "mine/slow" }, { key: greedy });
  await startCrowd(app, [crowded.id], greedy, { input: "hello" });
  await expect.poll(models.hanging).toBe(CROWD);
  const agent = await makeAgent(app, { model: "mine/quick" }, { key: modest });
  const { id } = await startOne(app, agent.id, modest, { input: "hello" });
  await expect.poll(() => statusOf(app, id, modest)).toBe("completed");
});

async function startOne(app: App, id: string, key: string, body: unknown = calling("work")): Promise<Execution> {
  return executionSchema.parse(expectStatus(await app.call("executeAgent", { params: { id }, body, key }), 201));
}

async function statusOf(app: App, id: string, key: string): Promise<string> {
  return executionSchema.parse(expectStatus(await app.call("getExecution", { params: { id }, key }), 200)).status;
}
