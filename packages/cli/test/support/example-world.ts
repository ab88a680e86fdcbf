import { once } from "node:events";
import { rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { join } from "node:path";
import { Yagate } from "@yagate/client";
import { toWorkspaceSecretReference } from "@yagate/protocol";
import { onTestFinished } from "vitest";
import { KEYS, startListening } from "./command.ts";
import { makeFolder } from "./folder.ts";
import { SECRET, signedRequest, toHttp } from "./signed-request.ts";
import { lookupOrder, startChangingHandler } from "./source-world.ts";

/** What the examples of the help name: a gateway with agents, tools and executions, and a folder with files. */
export interface ExampleWorld {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** Puts everything into the state that an example expects; returns it with the ids that there are. */
  prepare(example: string): Promise<string>;
}

/** The part of ids that all examples share. */
const SAMPLE = "01jd3v0c8me9kxt3f6r2p5q7sa";

export async function openWorld(): Promise<ExampleWorld> {
  const service = createServer((_request, response) => {
    response.setHeader("content-type", "application/json").end('{"result":"done"}');
  }).listen(0, "127.0.0.1");
  await once(service, "listening");
  onTestFinished(() => void service.close());
  const address = service.address();
  const api = `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}`;
  const home = await makeFolder();
  const settings = { YAGATE_PORT: "0", YAGATE_LOG_LEVEL: "silent", YAGATE_ALLOW_CIDRS: "127.0.0.0/8" };
  const secret = { YAGATE_SIGNING_SECRET: SECRET };
  const { url } = await startListening(["serve"], { cwd: home, env: { ...KEYS, ...settings, ...secret } });
  const handler = await startChangingHandler([lookupOrder()]);
  const client = new Yagate({ baseUrl: url, apiKey: KEYS.YAGATE_API_KEY });
  const approver = await client.apiKeys.create({ name: "lead", scopes: ["approvals"] });
  const cwd = await makeFolder();
  const request = await signedRequest();
  const env = {
    ...{ YAGATE_BASE_URL: url, YAGATE_API_KEY: KEYS.YAGATE_API_KEY, APPROVER_KEY: approver.key },
    ...{ YAGATE_DATA_DIR: join(home, ".yagate"), XDG_CONFIG_HOME: cwd },
    ...{ YAGATE_SIGNING_SECRET: SECRET, OLD_SECRET: SECRET, NEW_SECRET: SECRET },
    SIGNATURE: request.headers.find(([name]) => name === "X-YA-Signature")?.[1] ?? "",
  };
  const files = { ...filesFor(api), "request.http": toHttp(request), "body.json": request.body };
  for (const [name, content] of Object.entries(files)) await writeFile(join(cwd, name), content);
  await writeFile(join(cwd, "capture.har"), JSON.stringify(await harOf(request)));
  return { cwd, env, prepare: (example) => prepare({ client, api, url, cwd, handler: handler.url }, example) };
}

function filesFor(api: string) {
  const orders = (operationId: string) => ({
    operationId,
    tags: ["orders"],
    responses: { 200: { description: "ok" } },
  });
  const parameters = [{ name: "id", in: "path", required: true, schema: { type: "string" } }];
  return {
    "agent.json": JSON.stringify({ name: "Desk 2", model: "scripted/keyword" }),
    "agents.json": JSON.stringify([
      { name: "Order desk", model: "scripted/keyword" },
      { name: "Till", model: "scripted/keyword" },
    ]),
    "question.txt": "Where is ORD-7?\n",
    "change.json": JSON.stringify({ systemPrompt: "Be brief." }),
    "weather.json": JSON.stringify(weather(api)),
    "slots.json": JSON.stringify({ slots: 2 }),
    "openapi.yaml": JSON.stringify({
      openapi: "3.1.0",
      info: { title: "Shop API", version: "1" },
      servers: [{ url: api }],
      components: { securitySchemes: { api_key: { type: "http", scheme: "bearer" } } },
      paths: {
        "/orders": { get: orders("listOrders") },
        "/orders/{id}": { get: { ...orders("getOrder"), parameters } },
      },
    }),
    "key.txt": "planted-0123456789\n",
    "login.txt": "ada:planted-0123456789\n",
    "secret.txt": `${SECRET}\n`,
  };
}

async function harOf({ headers, body }: Awaited<ReturnType<typeof signedRequest>>) {
  const named = headers.map(([name, value]) => ({ name, value }));
  const postData = { mimeType: "application/json", text: body.toString() };
  const { timestamp } = JSON.parse(body.toString());
  return { log: { entries: [{ startedDateTime: timestamp, request: { method: "POST", headers: named, postData } }] } };
}

const weather = (api: string) => ({
  definition: {
    rest: {
      name: "get_weather",
      description: "The weather of a city.",
      method: "GET" as const,
      url: `${api}/now`,
      parameters: [{ name: "city", in: "query" as const, type: "string" as const, required: true }],
    },
  },
});

interface Surroundings {
  readonly client: Yagate;
  readonly api: string;
  readonly url: string;
  readonly cwd: string;
  /** URL of a handler that describes its tools. */
  readonly handler: string;
}

async function prepare({ client, api, url, cwd, handler }: Surroundings, example: string): Promise<string> {
  await clear(client);
  for (const made of ["copies", "my-tools"]) await rm(join(cwd, made), { recursive: true, force: true });
  for (const name of ["SHOP_KEY", "GITHUB_TOKEN", "OPENAI_KEY", "LOCAL_KEY"]) {
    await client.secrets.set(name, {
      value: "planted-0123456789",
      hosts: ["127.0.0.1", "models.example.com"],
      auth: { type: "bearer" },
    });
  }
  const { id } = await client.agents.create({
    name: "Order desk",
    model: "scripted/keyword",
    tools: [{ builtin: "calculator" }],
  });
  const execution = await client.agents.execute(id, { input: "2 + 3", metadata: { orderId: "ORD-7" } });
  if (!example.includes("integrations create")) {
    await client.integrations.create({ name: "shop", allowedDomains: ["api.shop.example"] });
  }
  if (/yagate intents (?:update|delete)/.test(example)) {
    const parameters = { type: "object", properties: { orderId: { type: "string" } } };
    await client.intents.create({ name: "business.order.query", description: "Looks up an order.", parameters });
  }
  if (example.includes("capabilities delete")) await client.capabilities.update("runtime.web_search", { priority: 1 });
  if (/yagate sources (?!add)/.test(example)) {
    await client.sources.create({
      ...{ name: "orders", kind: "handler", url: handler, accept: example.includes("revoke") ? "all" : "none" },
    });
  }
  if (example.includes("--reviewed")) {
    const [source] = await client.sources.list().toArray();
    const changes = await client.sources.changes(source?.id ?? "").toArray();
    await writeFile(join(cwd, "orders.json"), JSON.stringify(changes));
  }
  if (example.includes("sources adopt")) await addImported(client, api);
  else if (example.includes("Shop API")) await addToolkit(client, api, example);
  if (example.includes("get_weather")) await addWeather(client, api, example);
  if (example.includes("receipt verify")) {
    const receipt = await client.executions.receipt(execution.id);
    await writeFile(join(cwd, "receipt.json"), JSON.stringify(receipt));
    const keySet = await fetch(`${url}/.well-known/jwks/${receipt.workspaceId}.json`);
    await writeFile(join(cwd, "jwks.json"), await keySet.text());
  }
  const ids = new Map([["exec", execution.id]]);
  if (example.includes("tc_")) ids.set("tc", await callOf(client, handler));
  if (example.includes("endpoints enable")) {
    await callOf(client, handler);
    const [endpoint] = await client.endpoints.list().toArray();
    ids.set("ep", endpoint?.id ?? "");
  }
  if (example.includes("providers delete")) {
    await client.providers.set("openai", { apiKey: toWorkspaceSecretReference("OPENAI_KEY") });
  }
  const workspace = await workspaceFor(client, example);
  if (/apr_|approvals watch/.test(example)) ids.set("apr", await ask(client, api));
  if (example.includes("key_")) ids.set("key", (await client.apiKeys.create({ name: "ci", scopes: ["agents"] })).id);
  return example
    .replace(/http:\/\/localhost:3000\/tools|https:\/\/orders\.example\.com\/tools/, handler)
    .replace(/(?<=yagate workspaces \w+ )shop/, workspace)
    .replaceAll(new RegExp(`\\b(exec|apr|key|tc|ep)_${SAMPLE}`, "g"), (_id, prefix) => ids.get(prefix) ?? "");
}

/** A name that no workspace has, since workspaces can't be deleted; or one that a workspace has. */
async function workspaceFor(client: Yagate, example: string): Promise<string> {
  if (!example.includes("workspaces create") && !example.includes("workspaces update")) return "";
  const name = `shop-${crypto.randomUUID().slice(0, 8)}`;
  if (example.includes("workspaces update")) await client.workspaces.create({ name });
  return name;
}

async function clear(client: Yagate): Promise<void> {
  for await (const { id } of client.agents.list({ limit: 200 })) await client.agents.delete(id);
  for await (const { id } of client.sources.list({ limit: 200 })) await client.sources.delete(id);
  for await (const { id } of client.toolkits.list({ limit: 200 })) await client.toolkits.delete(id);
  for await (const { id } of client.tools.list({ limit: 200 })) await client.tools.delete(id);
  for await (const { name } of client.integrations.list({ limit: 200 })) await client.integrations.delete(name);
  for await (const { key, updatedAt } of client.capabilities.list({ limit: 200 })) {
    if (updatedAt !== null) await client.capabilities.delete(key);
  }
  for await (const { name, id } of client.intents.list({ limit: 200 }))
    if (id !== null) await client.intents.delete(name);
}

async function addWeather(client: Yagate, api: string, example: string): Promise<void> {
  const { id } = await client.tools.create(weather(api));
  await client.tools.test(id, { parameters: { city: "Lisbon" } });
  if (example.includes("finalize")) await client.tools.validate(id);
}

async function addToolkit(client: Yagate, api: string, example: string): Promise<void> {
  const { tools } = await client.tools.import({ openapi: filesFor(api)["openapi.yaml"] });
  const tool = tools.find(({ name }) => name === "list_orders");
  if (tool === undefined || !example.includes("finalize")) return;
  await client.tools.test(tool.id, { parameters: {} });
  await client.tools.validate(tool.id);
}

/** Imports a document whose tools agents can use, and adds it as a source. */
async function addImported(client: Yagate, api: string): Promise<void> {
  const document = filesFor(api)["openapi.yaml"];
  const { tools } = await client.tools.import({ openapi: document });
  for (const { id, name } of tools) {
    await client.tools.test(id, { parameters: name === "get_order" ? { id: "7" } : {} });
    await client.tools.validate(id);
    await client.tools.finalize(id);
  }
  await client.sources.create({ name: "shop", kind: "openapi", document });
}

/** Executes an agent that calls a tool of a handler, and returns the id of the call. */
async function callOf(client: Yagate, handler: string): Promise<string> {
  const parameters = { type: "object", properties: { orderId: { type: "string" } } } as const;
  const tool = {
    name: "lookup_order",
    description: "Looks up.",
    parameters,
    handler,
    sideEffect: "read_only" as const,
  };
  const agent = await client.agents.create({ name: "Lookups", model: "scripted/turns", tools: [tool] });
  const turns = [{ toolCalls: [{ name: tool.name, parameters: { orderId: "ORD-1" } }] }, { text: "Done." }];
  const { toolCalls } = await client.agents.execute(agent.id, { input: "Where is it?", script: { turns } });
  return toolCalls[0]?.id ?? "";
}

/** Starts an execution whose one call asks. */
async function ask(client: Yagate, api: string): Promise<string> {
  const parameters = { type: "object", properties: { orderId: { type: "string" } } } as const;
  const refund = { name: "refund", description: "Refunds.", parameters, handler: `${api}/refund` };
  const agent = await client.agents.create({
    name: "Refunds",
    model: "scripted/turns",
    tools: [{ ...refund, sideEffect: "destructive" }],
  });
  const turns = [{ toolCalls: [{ name: "refund", parameters: { orderId: "ORD-1" } }] }, { text: "Done." }];
  for await (const event of client.agents.stream(agent.id, { input: "Refund it.", script: { turns } })) {
    if (event.type === "approval.requested") return event.approvalId;
  }
  throw new Error("expected an approval");
}
