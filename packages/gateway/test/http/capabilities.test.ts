import {
  type Capability,
  capabilitySchema,
  type Intent,
  intentSchema,
  pageSchema,
  workspaceToolSchema,
} from "@yagate/protocol";
import { afterAll, describe, expect, it } from "vitest";
import { expectStatus, problemOf } from "./support/agents.ts";
import { startHandler, workTool } from "./support/handler.ts";
import { startWorld } from "./support/world.ts";

const world = await startWorld();
const handler = await startHandler();
afterAll(() => world.stop());

const PARAMETERS = {
  type: "object",
  properties: { orderId: { type: "string", description: "The id of the order" } },
  required: ["orderId"],
  additionalProperties: false,
};
const ORDERS = { name: "business.order.query", description: "Looks up an order.", parameters: PARAMETERS };

const createIntent = async (body: object = ORDERS, key = world.key): Promise<Intent> =>
  intentSchema.parse(expectStatus(await world.call("createIntent", { body, key }), 201));
const create = (body: object, key = world.key) => world.call("createCapability", { body, key });
const created = async (body: object, key = world.key): Promise<Capability> =>
  capabilitySchema.parse(expectStatus(await create(body, key), 201));
const update = (capability: string, body: object, key = world.key) =>
  world.call("updateCapability", { params: { key: capability }, body, key });
const list = async (key = world.key) =>
  pageSchema(capabilitySchema).parse((await world.call("listCapabilities", { key, query: { limit: "200" } })).body)
    .data;

const errorsOf = (answer: Parameters<typeof problemOf>[0]) => problemOf(answer).errors ?? [];

/** Creates a workspace tool with the parameters of the orders intent, unless others are given. */
async function makeTool(key: string, change: object = {}): Promise<string> {
  const definition = workTool(handler.url, { name: "lookup_order", parameters: PARAMETERS, ...change });
  const { id } = workspaceToolSchema.parse(
    expectStatus(await world.call("createTool", { body: { definition }, key }), 201),
  );
  return id;
}

describe("the gateway's table", () => {
  it("is listed in every workspace, with its date", async () => {
    const { key } = await world.makeWorkspace("table");
    const listed = await list(key);
    expect(listed.map((capability) => capability.key)).toContain("openai.web_search");
    for (const { origin, isOverride, asOf, createdAt } of listed) {
      expect({ origin, isOverride, createdAt }).toEqual({ origin: "gateway", isOverride: false, createdAt: null });
      expect(asOf).toMatch(/^\d{4}-\d\d-\d\d$/);
    }
  });

  it("is overridden by key, and applies again after the override is deleted", async () => {
    const { key } = await world.makeWorkspace("override");
    const off = expectStatus(await update("openai.web_search", { enabled: false }, key), 200);
    expect(off).toMatchObject({ enabled: false, isOverride: true, origin: "gateway", priority: 60 });
    const again = expectStatus(await update("openai.web_search", { priority: 99 }, key), 200);
    expect(again).toMatchObject({ enabled: false, priority: 99 });
    const other = await world.makeWorkspace("override-other");
    const seen = (await list(other.key)).find((capability) => capability.key === "openai.web_search");
    expect(seen).toMatchObject({ enabled: true, priority: 60, isOverride: false });
    const remove = () => world.call("deleteCapability", { params: { key: "openai.web_search" }, key });
    expect((await remove()).status).toBe(204);
    const restored = await world.call("getCapability", { params: { key: "openai.web_search" }, key });
    expect(restored.body).toMatchObject({ enabled: true, priority: 60, isOverride: false });
    expect(problemOf(await remove())).toMatchObject({ status: 409, code: "CONFLICT" });
  });

  it("keeps the meaning of its keys", async () => {
    const change = { key: "openai.web_search", target: { builtin: "calculator" }, mode: "runtime_function" };
    expect(errorsOf(await create(change))).toEqual([
      { path: "mode", code: "GATEWAY_ENTRY", message: expect.any(String) },
      { path: "target", code: "GATEWAY_ENTRY", message: expect.any(String) },
    ]);
  });
});

describe("an intent", () => {
  it("is created, read, changed and deleted", async () => {
    const { key } = await world.makeWorkspace("intents");
    const made = await createIntent(ORDERS, key);
    expect(made).toMatchObject({ ...ORDERS, id: expect.stringMatching(/^int_/), origin: "workspace" });
    const params = { name: ORDERS.name };
    expect((await world.call("getIntent", { params, key })).body).toEqual(made);
    const changed = await world.call("updateIntent", { params, body: { description: "Finds an order." }, key });
    expect(expectStatus(changed, 200)).toMatchObject({ id: made.id, description: "Finds an order." });
    const { data } = pageSchema(intentSchema).parse((await world.call("listIntents", { key })).body);
    expect(data.map(({ name }) => name)).toEqual([
      ...["business.order.query", "code.exec", "tool.search", "url.fetch", "web.search"],
    ]);
    expect((await world.call("deleteIntent", { params, key })).status).toBe(204);
    expect(problemOf(await world.call("getIntent", { params, key }))).toMatchObject({ status: 404 });
  });

  it.each([
    ["the name of another one", ORDERS, 409],
    ["the name of one of the gateway", { ...ORDERS, name: "web.search" }, 409],
    ["a name without a dot", { ...ORDERS, name: "orders" }, 422],
    ["parameters that are no schema", { ...ORDERS, name: "a.b", parameters: { type: "object", properties: 1 } }, 422],
  ])("is rejected with %s", async (_what, body, status) => {
    await world.call("createIntent", { body: ORDERS });
    expect(problemOf(await world.call("createIntent", { body }))).toMatchObject({ status });
  });

  it("of the gateway cannot be changed or deleted", async () => {
    const params = { name: "web.search" };
    const changed = await world.call("updateIntent", { params, body: { description: "x" } });
    expect(problemOf(changed)).toMatchObject({ status: 409 });
    expect(problemOf(await world.call("deleteIntent", { params }))).toMatchObject({ status: 409 });
  });
});

describe("a capability", () => {
  it("serves an intent with a tool of the workspace", async () => {
    const { key } = await world.makeWorkspace("own");
    await createIntent(ORDERS, key);
    const tool = await makeTool(key);
    const body = { key: "shop.orders", intent: ORDERS.name, mode: "runtime_function", target: { tool } };
    const made = await created(body, key);
    expect(made).toMatchObject({ ...body, priority: 50, costClass: "medium", origin: "workspace", asOf: null });
    const changed = await update("shop.orders", { priority: 70, regions: ["eu"], riskClass: "business_write" }, key);
    expect(expectStatus(changed, 200)).toMatchObject({ priority: 70, regions: ["eu"], riskClass: "business_write" });
    expect(expectStatus(await update("shop.orders", { riskClass: null }, key), 200)).toMatchObject({
      ...{ riskClass: null, priority: 70 },
    });
    expect(problemOf(await create(body, key))).toMatchObject({ status: 409, code: "CONFLICT" });
    const inUse = await world.call("deleteIntent", { params: { name: ORDERS.name }, key });
    expect(problemOf(inUse)).toMatchObject({ status: 409, detail: expect.stringContaining("shop.orders") });
    expect((await world.call("deleteCapability", { params: { key: "shop.orders" }, key })).status).toBe(204);
    expect((await world.call("deleteIntent", { params: { name: ORDERS.name }, key })).status).toBe(204);
  });

  it("maps the parameters of the intent to those of the tool", async () => {
    const { key } = await world.makeWorkspace("mapped");
    await createIntent(ORDERS, key);
    const parameters = {
      type: "object",
      properties: { q: { type: "string" } },
      required: ["q"],
      additionalProperties: false,
    };
    const tool = await makeTool(key, { parameters });
    const body = { key: "shop.orders", intent: ORDERS.name, mode: "runtime_function", target: { tool } };
    expect(errorsOf(await create(body, key))).toMatchObject([{ path: "args", code: "SCHEMA_MISMATCH" }]);
    await created({ ...body, args: { q: "order ${orderId}" }, result: "$.order" }, key);
    const params = { name: ORDERS.name };
    const change = { parameters: { type: "object", properties: { number: { type: "integer" } } } };
    expect(errorsOf(await world.call("updateIntent", { params, body: change, key }))).toMatchObject([
      { path: "parameters", code: "CAPABILITY_MISFIT", message: expect.stringContaining("shop.orders") },
    ]);
  });

  it("whose tool was archived can still be switched off", async () => {
    const { key } = await world.makeWorkspace("gone");
    await createIntent(ORDERS, key);
    const tool = await makeTool(key);
    await created({ key: "shop.orders", intent: ORDERS.name, mode: "runtime_function", target: { tool } }, key);
    await world.call("archiveTool", { params: { id: tool }, key });
    expect(errorsOf(await update("shop.orders", { priority: 1 }, key))).toMatchObject([
      { path: "target.tool", code: "ARCHIVED_TOOL" },
    ]);
    expect(expectStatus(await update("shop.orders", { enabled: false }, key), 200)).toMatchObject({ enabled: false });
  });

  const search = {
    key: "mine.search",
    intent: "web.search",
    mode: "runtime_function",
    target: { builtin: "web_search" },
  };
  const args = { query: "${query}" };
  it.each<[string, object, string, string]>([
    ["an unknown intent", { ...search, args, intent: "web.searhc" }, "intent", "UNKNOWN_INTENT"],
    ["no target", { key: "mine.search", intent: "web.search", mode: "sandboxed" }, "target", "REQUIRED"],
    ["a mode that is not the target's", { ...search, args, mode: "mcp_remote" }, "mode", "MODE_MISMATCH"],
    [
      "a source that does not exist",
      { ...search, target: { source: "gone", tool: "x" } },
      "target.source",
      "UNKNOWN_TOOL_SOURCE",
    ],
    [
      "a tool that does not exist",
      { ...search, target: { tool: "tool_01m7yj864ke00brb1mkxjenfhm" } },
      "target.tool",
      "UNKNOWN_TOOL",
    ],
    ["a primitive", { ...search, target: { builtin: "http_get" } }, "target.builtin", "TARGET_UNSUPPORTED"],
    [
      "an invalid config",
      { ...search, args, target: { builtin: "web_search", config: { maxResults: "x" } } },
      "target.config.maxResults",
      "",
    ],
    ["an argument that the tool lacks", { ...search, args: { ...args, extra: 1 } }, "args.extra", "UNKNOWN_ARG"],
    ["no value for a required argument", { ...search, args: {} }, "args.query", "MISSING_ARG"],
    [
      "a placeholder that the intent lacks",
      { ...search, args: { query: "${q}" } },
      "args.query",
      "UNKNOWN_PLACEHOLDER",
    ],
    [
      "a value of another type",
      { ...search, args: { query: "${maxResults}" } },
      "args.query",
      "PARAMETER_TYPE_MISMATCH",
    ],
    ["a secret", { ...search, args: { query: "${secrets.KEY}" } }, "args.query", "SECRET_NOT_ALLOWED_HERE"],
    ["a path that is none", { ...search, args, result: "$[" }, "result", "INVALID_PATH"],
    [
      "a template for a hosted tool",
      { ...search, args, mode: "provider_hosted", target: { hosted: "web_search" } },
      "args",
      "TARGET_UNSUPPORTED",
    ],
  ])("is rejected with %s", async (_what, body, path, code) => {
    const answer = await create(body);
    expect(answer.status).toBe(422);
    expect(errorsOf(answer)[0]).toMatchObject({ path, ...(code === "" ? {} : { code }) });
  });
});
