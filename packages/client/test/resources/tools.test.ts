import { describe, expect, it } from "vitest";
import { z } from "zod";
import type { Yagate } from "../../src/index.ts";
import { clientOf } from "../support/client-of.ts";
import { AT } from "../support/records.ts";
import { json, noContent, type Responder, startScriptedGateway } from "../support/scripted-gateway.ts";

const definition = {
  rest: {
    name: "get_order",
    description: "Reads.",
    method: "GET" as const,
    url: "https://a.example/o",
    parameters: [],
  },
};
const tool = {
  ...{ id: "tool_1", version: 1, name: "get_order", kind: "rest", capabilityKey: null, definition },
  ...{ status: "configured", toolkitId: null, slots: 1, warnings: [], lastTest: null, createdAt: AT, updatedAt: AT },
};
const test = {
  ...{ toolId: "tool_1", version: 1, parameters: {}, at: AT, ok: true, httpStatus: 200, durationMs: 3 },
  ...{ response: { total: 3 }, error: null },
};
const summary = { id: "tool_1", name: "get_order", kind: "rest", status: "configured" };
const toolkit = {
  ...{ id: "kit_1", name: "Shop", provider: "Shop Ltd", credential: null, tools: [summary] },
  ...{ createdAt: AT, updatedAt: AT },
};
const installed = { toolkit, tools: [tool] };
const imported = { ...installed, notes: [], skipped: [], problems: [], auth: [] };
const operations = {
  title: "Shop",
  operations: [
    {
      ...{ operation: "GET /orders", operationId: "listOrders", summary: null, tags: ["orders"], isDeprecated: false },
      security: [{ token: ["read"] }],
    },
  ],
  skipped: [],
};
const request = { method: "GET", url: "https://a.example/o", headers: { authorization: "***KEY***" }, body: null };
const template = {
  ...{ id: "github", service: "GitHub", title: "Issues", source: "https://docs.example/" },
  credential: { auth: { type: "bearer" }, hosts: ["api.github.com"], setup: "A token." },
  settings: [{ parameter: "owner", description: "Whose repository." }],
  tools: [definition.rest],
};

interface Call {
  readonly call: (client: Yagate) => Promise<unknown>;
  readonly route: string;
  readonly answer: Responder;
  readonly sends?: unknown;
  readonly gives?: unknown;
}

const page = (item: unknown) => json(200, { data: [item], nextCursor: null });
const source = {
  ...{ id: "src_1", name: "orders", kind: "handler", url: "https://a.example/tools", signingSecret: "default" },
  ...{ include: null, exclude: [], defaults: {}, overrides: {}, onChange: "hold", status: "changed", statusAt: AT },
  ...{ syncIntervalSeconds: 900, syncedAt: AT, nextSyncAt: null },
  ...{ reason: null, generation: 1, toolCounts: { published: 1, accepted: 0, held: 1, removed: 0 } },
  ...{ createdAt: AT, updatedAt: AT },
};
const sourceTest = {
  ...{ status: "ready", reason: null, durationMs: 12, revision: "1", generator: null, tools: [], skippedTools: [] },
  changes: { added: [], changed: [], removed: [], held: [] },
};
const login = { authorizationUrl: "https://login.example.com/authorize", expiresAt: AT };
const change = {
  ...{ name: "lookup", toolName: "orders.lookup", state: "new", hash: `sha256:${"0".repeat(64)}`, acceptedHash: null },
  ...{ before: null, after: { name: "lookup" }, isLaxer: false, isGeneratorChanged: false, conflict: null },
};

const calls: readonly (readonly [string, Call])[] = [
  [
    "tools.create",
    {
      call: (client) => client.tools.create({ definition, slots: 2 }),
      ...{ route: "POST /v1/tools", answer: json(201, tool), sends: { definition, slots: 2 }, gives: tool },
    },
  ],
  [
    "tools.get",
    {
      call: (client) => client.tools.get("tool_1"),
      route: "GET /v1/tools/tool_1",
      answer: json(200, tool),
      gives: tool,
    },
  ],
  [
    "tools.list",
    { call: (client) => client.tools.list().toArray(), route: "GET /v1/tools", answer: page(tool), gives: [tool] },
  ],
  [
    "tools.update",
    {
      call: (client) => client.tools.update("tool_1", { version: 1, warnings: [{ level: "info", text: "Slow." }] }),
      ...{ route: "PATCH /v1/tools/tool_1", answer: json(200, tool), gives: tool },
      sends: { version: 1, warnings: [{ level: "info", text: "Slow." }] },
    },
  ],
  [
    "tools.delete",
    { call: (client) => client.tools.delete("tool_1"), route: "DELETE /v1/tools/tool_1", answer: noContent() },
  ],
  [
    "tools.versions",
    {
      call: (client) => client.tools.versions("tool_1").toArray(),
      ...{ route: "GET /v1/tools/tool_1/versions", answer: page(tool), gives: [tool] },
    },
  ],
  [
    "tools.test",
    {
      call: (client) => client.tools.test("tool_1", { parameters: { id: 7 }, confirm: true }),
      ...{ route: "POST /v1/tools/tool_1/test", answer: json(200, tool), gives: tool },
      sends: { parameters: { id: 7 }, confirm: true },
    },
  ],
  [
    "tools.getTest",
    {
      call: (client) => client.tools.getTest("tool_1"),
      ...{ route: "GET /v1/tools/tool_1/test", answer: json(200, test), gives: test },
    },
  ],
  [
    "tools.validate",
    {
      call: (client) => client.tools.validate("tool_1"),
      ...{ route: "POST /v1/tools/tool_1/validate", answer: json(200, tool), sends: {}, gives: tool },
    },
  ],
  [
    "tools.finalize",
    {
      call: (client) => client.tools.finalize("tool_1", { version: 3 }),
      ...{ route: "POST /v1/tools/tool_1/finalize", answer: json(200, tool), sends: { version: 3 }, gives: tool },
    },
  ],
  [
    "tools.preview",
    {
      call: (client) => client.tools.preview({ tool: "get_order" }),
      ...{ route: "POST /v1/tools/preview", answer: json(200, request), sends: { tool: "get_order" }, gives: request },
    },
  ],
  [
    "tools.importOperations",
    {
      call: (client) => client.tools.importOperations({ openapi: "openapi: 3.1.0", tags: ["orders"] }),
      ...{ route: "POST /v1/tools/import/operations", answer: json(200, operations), gives: operations },
      sends: { openapi: "openapi: 3.1.0", tags: ["orders"] },
    },
  ],
  [
    "tools.import",
    {
      call: (client) => client.tools.import({ openapi: { openapi: "3.1.0" }, operations: ["getOrder"] }),
      ...{ route: "POST /v1/tools/import", answer: json(201, imported), gives: imported },
      sends: { openapi: { openapi: "3.1.0" }, operations: ["getOrder"] },
    },
  ],
  [
    "toolkits.create",
    {
      call: (client) => client.toolkits.create({ name: "Shop", provider: "Shop Ltd" }),
      ...{ route: "POST /v1/toolkits", answer: json(201, toolkit), gives: toolkit },
      sends: { name: "Shop", provider: "Shop Ltd" },
    },
  ],
  [
    "toolkits.get",
    {
      call: (client) => client.toolkits.get("kit_1"),
      ...{ route: "GET /v1/toolkits/kit_1", answer: json(200, toolkit), gives: toolkit },
    },
  ],
  [
    "toolkits.list",
    {
      call: (client) => client.toolkits.list().toArray(),
      ...{ route: "GET /v1/toolkits", answer: page(toolkit), gives: [toolkit] },
    },
  ],
  [
    "toolkits.update",
    {
      call: (client) => client.toolkits.update("kit_1", { credential: "KEY" }),
      ...{
        route: "PATCH /v1/toolkits/kit_1",
        answer: json(200, toolkit),
        sends: { credential: "KEY" },
        gives: toolkit,
      },
    },
  ],
  [
    "toolkits.delete",
    { call: (client) => client.toolkits.delete("kit_1"), route: "DELETE /v1/toolkits/kit_1", answer: noContent() },
  ],
  [
    "toolkits.finalize",
    {
      call: (client) => client.toolkits.finalize("kit_1"),
      ...{ route: "POST /v1/toolkits/kit_1/finalize", answer: json(200, toolkit), gives: toolkit },
    },
  ],
  [
    "sources.create",
    {
      call: (client) => client.sources.create({ name: "orders", kind: "handler", url: "https://a.example/tools" }),
      ...{ route: "POST /v1/tool-sources", answer: json(201, source), gives: source },
      sends: { name: "orders", kind: "handler", url: "https://a.example/tools" },
    },
  ],
  [
    "sources.get",
    {
      call: (client) => client.sources.get("src_1"),
      ...{ route: "GET /v1/tool-sources/src_1", answer: json(200, source), gives: source },
    },
  ],
  [
    "sources.list",
    {
      call: (client) => client.sources.list().toArray(),
      ...{ route: "GET /v1/tool-sources", answer: page(source), gives: [source] },
    },
  ],
  [
    "sources.update",
    {
      call: (client) => client.sources.update("src_1", { onChange: "additive" }),
      ...{ route: "PATCH /v1/tool-sources/src_1", answer: json(200, source), gives: source },
      sends: { onChange: "additive" },
    },
  ],
  [
    "sources.delete",
    { call: (client) => client.sources.delete("src_1"), route: "DELETE /v1/tool-sources/src_1", answer: noContent() },
  ],
  [
    "sources.sync",
    {
      call: (client) => client.sources.sync("src_1"),
      ...{ route: "POST /v1/tool-sources/src_1/sync", answer: json(200, source), gives: source },
    },
  ],
  [
    "sources.test",
    {
      call: (client) => client.sources.test("src_1"),
      ...{ route: "POST /v1/tool-sources/src_1/test", answer: json(200, sourceTest), gives: sourceTest },
    },
  ],
  [
    "sources.changes",
    {
      call: (client) => client.sources.changes("src_1").toArray(),
      ...{ route: "GET /v1/tool-sources/src_1/changes", answer: page(change), gives: [change] },
    },
  ],
  [
    "sources.accept",
    {
      call: (client) => client.sources.accept("src_1", { tools: [{ name: "lookup", hash: change.hash }] }),
      ...{ route: "POST /v1/tool-sources/src_1/accept", answer: json(200, source), gives: source },
      sends: { tools: [{ name: "lookup", hash: change.hash }] },
    },
  ],
  [
    "sources.adopt",
    {
      call: (client) => client.sources.adopt("src_1", { tools: [{ toolId: "tool_1" }] }),
      ...{ route: "POST /v1/tool-sources/src_1/adopt", answer: json(200, source), gives: source },
      sends: { tools: [{ toolId: "tool_1" }] },
    },
  ],
  [
    "sources.revoke",
    {
      call: (client) => client.sources.revoke("src_1", { tools: ["lookup"] }),
      ...{ route: "POST /v1/tool-sources/src_1/revoke", answer: json(200, source), gives: source },
      sends: { tools: ["lookup"] },
    },
  ],
  [
    "sources.login",
    {
      call: (client) => client.sources.login("src_1"),
      ...{ route: "POST /v1/tool-sources/src_1/login", answer: json(201, login), gives: login },
    },
  ],
  [
    "sources.confirmLogin",
    {
      call: (client) => client.sources.confirmLogin("src_1", { code: "K7QM-2XWP" }),
      ...{ route: "POST /v1/tool-sources/src_1/login/confirm", answer: json(200, source), gives: source },
      sends: { code: "K7QM-2XWP" },
    },
  ],
  [
    "toolTemplates.list",
    {
      call: (client) => client.toolTemplates.list().toArray(),
      ...{ route: "GET /v1/tool-templates", answer: page(template), gives: [template] },
    },
  ],
  [
    "toolTemplates.get",
    {
      call: (client) => client.toolTemplates.get("github"),
      ...{ route: "GET /v1/tool-templates/github", answer: json(200, template), gives: template },
    },
  ],
  [
    "toolTemplates.install",
    {
      call: (client) => client.toolTemplates.install("github", { credential: "KEY" }),
      ...{ route: "POST /v1/tool-templates/github/install", answer: json(201, installed), gives: installed },
      sends: { credential: "KEY" },
    },
  ],
];

describe("each call reaches its route", () => {
  it.each(calls)("%s", async (_name, { call, route, answer, sends, gives }) => {
    const gateway = await startScriptedGateway({ [route]: answer });
    expect(await call(clientOf(gateway))).toEqual(gives);
    expect(gateway.seen).toMatchObject([{ body: sends }]);
  });
});

it("asks for tools of a status, a kind and a toolkit, and says what becomes of a toolkit's tools", async () => {
  const gateway = await startScriptedGateway({
    "GET /v1/tools": page(tool),
    "DELETE /v1/toolkits/kit_1": noContent(),
  });
  const client = clientOf(gateway);
  await client.tools.list({ status: "draft", kind: "rest", toolkitId: "kit_1", limit: 1 }).page();
  await client.toolkits.delete("kit_1", { tools: "archive" });
  expect(gateway.seen.map(({ url }) => url)).toEqual([
    "/v1/tools?status=draft&kind=rest&toolkitId=kit_1&limit=1",
    "/v1/toolkits/kit_1?tools=archive",
  ]);
});

it("turns the Zod parameters of a webhook into JSON Schema", async () => {
  const gateway = await startScriptedGateway({ "POST /v1/tools": json(201, tool) });
  const webhook = {
    name: "a",
    description: "A.",
    handler: "https://a.example/",
    parameters: z.object({ id: z.string() }),
  };
  await clientOf(gateway).tools.create({ definition: webhook });
  expect(gateway.seen).toMatchObject([
    { body: { definition: { name: "a", parameters: { type: "object", properties: { id: { type: "string" } } } } } },
  ]);
});

it.each<[string, (client: Yagate) => unknown]>([
  ["an id of another kind", (client) => client.tools.get("agt_1")],
  ["a path in the place of an id", (client) => client.toolkits.get("../tools")],
  ["a template's id that is none", (client) => client.toolTemplates.get("")],
  ["an option that there is not", (client) => client.tools.test("tool_1", { confirmed: true } as object)],
])("refuses %s, and sends nothing", async (_what, call) => {
  const gateway = await startScriptedGateway({});
  await expect(call(clientOf(gateway))).rejects.toMatchObject({ code: "INVALID_REQUEST" });
  expect(gateway.seen).toEqual([]);
});

it.each<[string, unknown]>([
  ["a definition itself", definition],
  ["nothing", undefined],
  ["a definition that is none", { definition: null }],
])("tools.create of %s says that a definition is expected, and sends nothing", async (_what, tool) => {
  const gateway = await startScriptedGateway({});
  const { tools } = clientOf(gateway);
  await expect(Reflect.apply(tools.create, tools, [tool])).rejects.toMatchObject({
    code: "INVALID_REQUEST",
    message: "tools.create: expected the tool's definition as an object in the field definition",
  });
  expect(gateway.seen).toEqual([]);
});
