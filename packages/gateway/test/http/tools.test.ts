import {
  pageSchema,
  type Scope,
  type WorkspaceTool,
  workspaceToolSchema,
  workspaceToolTestSchema,
} from "@yagate/protocol";
import { afterAll, describe, expect, it } from "vitest";
import { expectStatus, fieldsOf, problemOf } from "./support/agents.ts";
import { startHandler, workTool } from "./support/handler.ts";
import { startWorld } from "./support/world.ts";

const world = await startWorld();
const handler = await startHandler({ body: { result: { text: "x".repeat(5_000), total: 3 } } });
afterAll(() => world.stop());

let count = 0;
const newName = () => `work_${++count}`;
const handlerOf = (name: string, rest: Record<string, unknown> = {}) => workTool(handler.url, { name, ...rest });

async function make(body: Record<string, unknown> = {}): Promise<WorkspaceTool> {
  const definition = handlerOf(newName());
  return workspaceToolSchema.parse(
    expectStatus(await world.call("createTool", { body: { definition, ...body } }), 201),
  );
}

const change = (tool: WorkspaceTool, body: object) => world.call("updateTool", { params: { id: tool.id }, body });
const read = async (tool: WorkspaceTool) =>
  workspaceToolSchema.parse(expectStatus(await world.call("getTool", { params: { id: tool.id } }), 200));

describe("creating", () => {
  it("fills in what was left out; what is no request is usable at once", async () => {
    const definition = handlerOf(newName());
    const { body } = await world.call("createTool", { body: { definition } });
    expect(body).toEqual({
      ...{ id: expect.stringMatching(/^tool_/), version: 1, name: definition["name"], kind: "handler", definition },
      ...{ capabilityKey: null, status: "created", toolkitId: null, slots: 1, warnings: [], lastTest: null },
      ...{ createdAt: expect.stringMatching(/Z$/), updatedAt: expect.stringMatching(/Z$/) },
    });
  });

  it.each<[string, Record<string, unknown>, number]>([
    ["that were declared", { slots: 25 }, 25],
    ["of a database that is read", { access: "read" }, 2],
    ["of a database that is written", { access: "write" }, 5],
    ["of a database with full access", { access: "full" }, 7],
  ])("keeps the slots %s", async (_what, body, slots) => {
    expect(await read(await make(body))).toMatchObject({ slots });
  });

  it.each<[string, Record<string, unknown>, readonly string[]]>([
    ["slots and access", { slots: 2, access: "read" }, ["access"]],
    ["26 slots", { slots: 26 }, ["slots"]],
    ["an unknown field", { definition: { ...handlerOf("a"), tpyo: 1 } }, ["definition.tpyo"]],
    ["a URL with userinfo", { definition: workTool("https://u:p@a.example/x") }, ["definition.handler"]],
    [
      "a schema that is none, and a URL that can't be allowed",
      {
        definition: workTool("https://10.0.0.1/x", {
          parameters: { type: "object", properties: { a: { type: "txt" } } },
        }),
      },
      ["definition.parameters.properties.a.type", "definition.handler"],
    ],
    ["a draft that is no request", { definition: handlerOf("a"), draft: true }, ["draft"]],
    ["a toolkit that is not there", { definition: handlerOf("a"), toolkitId: "kit_none" }, ["toolkitId"]],
    [
      "a draft without a name",
      { definition: { rest: { url: "https://a.example/" } }, draft: true },
      ["definition.rest.name"],
    ],
  ])("refuses %s, and keeps nothing", async (_what, body, paths) => {
    const before = (await world.call("listTools")).body;
    const answer = await world.call("createTool", { body: { definition: handlerOf("a"), ...body } });
    expect(answer.status).toBe(422);
    expect(problemOf(answer).errors?.map(({ path }) => path)).toEqual(paths);
    expect((await world.call("listTools")).body).toEqual(before);
  });

  it("refuses a name that another tool has, until that one is archived", async () => {
    const tool = await make();
    const definition = handlerOf(tool.name);
    const taken = await world.call("createTool", { body: { definition } });
    expect(problemOf(taken)).toMatchObject({ status: 409, detail: expect.stringContaining(tool.name) });
    expectStatus(await world.call("archiveTool", { params: { id: tool.id } }), 204);
    expect((await world.call("createTool", { body: { definition } })).status).toBe(201);
  });
});

describe("changing", () => {
  it("makes an immutable version; the same again makes none", async () => {
    const tool = await make();
    const body = { version: 1, definition: handlerOf(tool.name, { timeout: 500 }), capabilityKey: "orders" };
    expect((await change(tool, body)).body).toMatchObject({ version: 2, status: "created", capabilityKey: "orders" });
    expect((await change(tool, { ...body, version: 2 })).body).toMatchObject({ version: 2 });
    const versions = pageSchema(workspaceToolSchema).parse(
      (await world.call("listToolVersions", { params: { id: tool.id } })).body,
    );
    expect(versions.data.map(({ version }) => version)).toEqual([2, 1]);
    expect(versions.data[1]).toEqual(tool);
  });

  it.each([
    ["that name the same version", { version: 1 }],
    ["that name none", {}],
  ])("lets one of two changes at once through %s", async (_what, base) => {
    const tool = await make();
    const answers = await Promise.all([2, 3, 4].map((slots) => change(tool, { ...base, slots })));
    const statuses = answers.map(({ status }) => status).sort();
    expect(statuses.filter((status) => status === 200)).toHaveLength(1);
    expect(statuses.filter((status) => status === 409)).toHaveLength(2);
    expect((await read(tool)).version).toBe(2);
  });

  it("refuses a stale version, and what could not be created", async () => {
    const tool = await make();
    expect(problemOf(await change(tool, { version: 2, slots: 2 }))).toMatchObject({ status: 409, code: "CONFLICT" });
    const wrong = await change(tool, { definition: workTool("https://10.0.0.1/x") });
    expect(fieldsOf(wrong)).toEqual([expect.stringMatching(/^definition\.handler: /)]);
    expect(await read(tool)).toEqual(tool);
  });
});

it("lists in pages, and by status and kind", async () => {
  const { key } = await world.makeWorkspace("lister");
  for (const name of ["a", "b", "c"]) {
    expectStatus(await world.call("createTool", { key, body: { definition: handlerOf(name) } }), 201);
  }
  const list = async (query: Record<string, string>) =>
    pageSchema(workspaceToolSchema).parse((await world.call("listTools", { key, query })).body);
  const first = await list({ limit: "2", status: "created" });
  expect(first.data.map(({ name }) => name)).toEqual(["c", "b"]);
  const second = await list({ limit: "2", status: "created", cursor: first.nextCursor ?? "" });
  expect(second).toMatchObject({ data: [{ name: "a" }], nextCursor: null });
  expect((await list({ kind: "rest" })).data).toEqual([]);
  expect((await world.call("listTools", { key, query: { status: "finished" } })).status).toBe(422);
});

describe("testing", () => {
  it("sends a real call once it is confirmed, and keeps a slim preview beside the whole answer", async () => {
    const tool = await make();
    const sent = handler.calls.length;
    const call = (body: object) => world.call("testTool", { params: { id: tool.id }, body });
    expect(problemOf(await call({})).errors).toMatchObject([{ path: "confirm", code: "CONFIRMATION_REQUIRED" }]);
    expect(handler.calls).toHaveLength(sent);
    const tested = workspaceToolSchema.parse(expectStatus(await call({ parameters: { n: 7 }, confirm: true }), 200));
    expect(handler.requests.at(-1)?.body).toMatchObject({ name: tool.name, parameters: { n: 7 } });
    expect(tested).toMatchObject({ status: "created", lastTest: { ok: true, httpStatus: 200 } });
    expect(JSON.stringify(tested.lastTest?.preview).length).toBeLessThanOrEqual(2_048);
    expect(tested.lastTest?.preview).toMatchObject({ total: 3 });
    expect(await read(tool)).toEqual(tested);
    const { body } = await world.call("getToolTest", { params: { id: tool.id } });
    expect(workspaceToolTestSchema.parse(body)).toMatchObject({
      ...{ toolId: tool.id, version: 1, ok: true, parameters: { n: 7 }, error: null },
      response: { text: "x".repeat(5_000), total: 3 },
    });
  });

  it("says what a failed call was told", async () => {
    const failing = await startHandler({ status: 503, body: { error: { code: "BUSY", message: "come back later" } } });
    const tool = await make({ definition: workTool(failing.url, { name: newName() }) });
    const answer = await world.call("testTool", { params: { id: tool.id }, body: { confirm: true } });
    expect(answer.body).toMatchObject({ status: "created", lastTest: { ok: false, httpStatus: 503 } });
    const { body } = await world.call("getToolTest", { params: { id: tool.id } });
    expect(body).toMatchObject({ ok: false, error: { code: "BUSY", message: "come back later" } });
    expect(failing.calls).toHaveLength(1);
  });

  it("tells whoever writes the tool what no model reads, and what to do", async () => {
    const failing = await startHandler({ status: 404, body: "nothing here" });
    const error = { code: "HANDLER_ERROR", developerMessage: expect.stringMatching(/^HTTP 404 without an error body/) };
    const tool = await make({ definition: workTool(failing.url, { name: newName() }) });
    const answer = await world.call("testTool", { params: { id: tool.id }, body: { confirm: true } });
    expect(answer.body).toMatchObject({ lastTest: { preview: { error } } });
    expect((await world.call("getToolTest", { params: { id: tool.id } })).body).toMatchObject({ error });
  });

  it("refuses arguments that the tool would refuse, and sends nothing", async () => {
    const parameters = { type: "object", properties: { id: { type: "string" } }, required: ["id"] };
    const tool = await make({ definition: handlerOf(newName(), { parameters }) });
    const sent = handler.calls.length;
    const body = { parameters: { id: 7 }, confirm: true };
    const answer = await world.call("testTool", { params: { id: tool.id }, body });
    expect(problemOf(answer).errors).toMatchObject([{ path: "parameters.id", code: "TYPE" }]);
    expect(handler.calls).toHaveLength(sent);
    expect((await world.call("getToolTest", { params: { id: tool.id } })).status).toBe(404);
  });
});

describe("preview", () => {
  const preview = (body: object) => world.call("previewTool", { body });

  it("shows the request of a tool by name, by id, as a definition and as an agent's, and sends nothing", async () => {
    const tool = await make();
    const sent = handler.calls.length;
    const agent = await world.call("createAgent", {
      body: { name: "a", model: "scripted/turns", tools: [{ tool: tool.id }] },
    });
    const { id: agentId } = agent.body as { id: string };
    for (const body of [
      { tool: tool.name },
      { tool: tool.id },
      { tool: tool.definition },
      { tool: tool.name, agentId },
    ]) {
      const answer = await preview({ ...body, parameters: { n: 7 } });
      expect(answer.body).toMatchObject({
        ...{ method: "POST", url: handler.url },
        headers: { "X-YA-Signature": expect.stringContaining("signed with the secret default") },
        body: { name: tool.name, parameters: { n: 7 } },
      });
    }
    expect(handler.calls).toHaveLength(sent);
  });

  it.each<[string, object, readonly string[]]>([
    ["an unknown tool", { tool: "nobody_knows" }, ["tool"]],
    ["a definition that could not be saved", { tool: workTool("https://10.0.0.1/x") }, ["definition.handler"]],
    ["a definition with an unknown field", { tool: { ...handlerOf("a"), tpyo: 1 } }, ["tool.tpyo"]],
  ])("refuses %s", async (_what, body, paths) => {
    const answer = await preview(body);
    expect(answer.status).toBe(422);
    expect(problemOf(answer).errors?.map(({ path }) => path)).toEqual(paths);
  });

  it.each<[readonly Scope[], number]>([
    [["tools"], 403],
    [["tools", "secrets"], 403],
    [["tools", "agents"], 200],
    [["tools", "executions"], 200],
  ])("shows what an agent would send to a key with %j: %i", async (scopes, status) => {
    const tool = await make();
    const agent = await world.call("createAgent", {
      body: { name: "a", model: "scripted/turns", tools: [{ tool: tool.id }] },
    });
    const { id: agentId } = agent.body as { id: string };
    const { text: key } = await world.makeKey(scopes);
    const parameters = { n: 7 };
    expect((await world.call("previewTool", { key, body: { tool: tool.name, parameters } })).status).toBe(200);
    expect((await world.call("previewTool", { key, body: { agentId, tool: tool.name, parameters } })).status).toBe(
      status,
    );
  });

  it.each<[string, object, object, readonly string[]]>([
    ["does not fit the schema", {}, { n: 7 }, ["parameters.n: TYPE"]],
    ["is no part of a text", { body: "n=${n}" }, { n: {} }, ["parameters: NOT_A_SCALAR"]],
    ["is no value of a header", { headers: { "x-n": "${n}" } }, { n: "a\r\nb" }, ["parameters: INVALID_HEADER_VALUE"]],
    ["is no segment", { url: "https://api.example.com/${n}/x" }, { n: ".." }, ["parameters: INVALID_PATH_SEGMENT"]],
    ["is too large", { body: { n: "${n}" } }, { n: "x".repeat(65_536) }, ["parameters: RENDERED_TOO_LARGE"]],
  ])("says why no request can be made of an argument that %s", async (_what, args, parameters, codes) => {
    const properties = { n: { type: ["string", "object"] } };
    const answer = await preview({
      tool: {
        ...{ name: "sender", description: "Sends.", parameters: { type: "object", properties } },
        implementation: {
          primitive: "http_request",
          args: { method: "POST", url: "https://api.example.com/", ...args },
        },
      },
      parameters,
    });
    const { status, code: kind, errors } = problemOf(answer);
    expect({ status, kind }).toEqual({ status: 422, kind: "INVALID_ARGUMENTS" });
    expect(errors?.map(({ path, code }) => `${path}: ${code}`)).toEqual(codes);
  });

  it("has nothing to show of a tool that runs inside the gateway", async () => {
    const body = { name: "a", model: "scripted/turns", tools: [{ builtin: "calculator" }] };
    const { id: agentId } = (await world.call("createAgent", { body })).body as { id: string };
    const answer = await preview({ agentId, tool: "calculator", parameters: { expression: "1 + 1" } });
    expect(fieldsOf(answer)).toEqual(["tool: expected a tool that sends requests; calculator runs inside the gateway"]);
  });
});
