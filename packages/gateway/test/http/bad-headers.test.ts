import { toolSourceSchema, workspaceToolSchema } from "@yagate/protocol";
import { afterAll, describe, expect, it } from "vitest";
import { expectStatus, fieldsOf, makeAgent, saying, start } from "./support/agents.ts";
import { startWorld } from "./support/world.ts";

const world = await startWorld();
afterAll(() => world.stop());

const agent = await makeAgent(world);
const execution = await start(world, agent.id, saying("hi"));
const params = { id: agent.id };
const definition = {
  name: "work",
  description: "Works.",
  parameters: { type: "object" },
  handler: "https://tools.example/work",
};
const tool = workspaceToolSchema.parse(expectStatus(await world.call("createTool", { body: { definition } }), 201));
// Nothing listens there: a source exists all the same, without tools.
const unreachable = { name: "orders", kind: "handler", url: "http://127.0.0.1:9/tools" };
const source = toolSourceSchema.parse(expectStatus(await world.call("createToolSource", { body: unreachable }), 201));
/** What the lists of something's own parts are asked for. */
const OWNERS: Readonly<Record<string, string>> = {
  listToolCalls: execution.id,
  listToolVersions: tool.id,
  listToolSourceChanges: source.id,
};

describe("Idempotency-Key", () => {
  it.each([
    ["an empty one", ""],
    ["one with a space", "a b"],
    ["one of 256 characters", "k".repeat(256)],
    ["one that is not ASCII", "sch\u00f6n"],
  ])("refuses %s", async (_what, key) => {
    const answer = await world.call("executeAgent", {
      params,
      body: saying("hi"),
      headers: { "idempotency-key": key },
    });
    expect(answer.status).toBe(422);
    expect(fieldsOf(answer)).toEqual(["Idempotency-Key: expected 1 to 255 visible ASCII characters"]);
  });

  it("takes one of 255 characters", async () => {
    const headers = { "idempotency-key": "k".repeat(255) };
    expect((await world.call("executeAgent", { params, body: saying("hi"), headers })).status).toBe(201);
  });
});

describe("Last-Event-ID", () => {
  it.each(["x", "-1", "1.5", "0x1", "1 2", "9".repeat(16)])("refuses %j on both routes that stream", async (id) => {
    const headers = { "last-event-id": id };
    const following = await world.call("followExecution", { params: { id: execution.id }, headers });
    const executing = await world.call("executeAgent", { params, body: saying("hi"), headers });
    for (const answer of [following, executing]) {
      expect(answer.status).toBe(422);
      expect(fieldsOf(answer)).toEqual(["Last-Event-ID: expected the number of an event"]);
    }
  });
});

it("names every wrong header at once, and starts nothing", async () => {
  const before = (await world.call("listExecutions")).body;
  const headers = { "idempotency-key": "a b", "last-event-id": "x", accept: "text/event-stream" };
  const answer = await world.call("executeAgent", { params, body: saying("hi"), headers });
  expect(fieldsOf(answer).map((field) => field.split(":")[0])).toEqual(["Idempotency-Key", "Last-Event-ID"]);
  expect((await world.call("listExecutions")).body).toEqual(before);
});

describe("Prefer", () => {
  it.each<[string, string | null]>([
    ["wait=10", "wait=10"],
    ["wait=0", "wait=0"],
    ["wait=61", "wait=60"],
    ['wait="5"', "wait=5"],
    ["Wait = 5", "wait=5"],
    ["respond-async, wait=5", "wait=5"],
    ["wait=5; foo=bar", "wait=5"],
    ["wait=5, wait=9", "wait=5"],
    ["wait", null],
    ["wait=", null],
    ["wait=5s", null],
    ["wait=-1", null],
    ["wait=1.5", null],
    ['wait="5', null],
    ["handling=lenient; wait=5", null],
    ["await=5", null],
  ])("reads %j and says what it applied", async (prefer, applied) => {
    const answer = await world.call("executeAgent", { params, body: saying("hi"), headers: { prefer } });
    expectStatus(answer, 201);
    expect(answer.headers.get("preference-applied")).toBe(applied);
  });
});

const lists = world.operations.filter(({ parameters }) => parameters.some(({ name }) => name === "cursor"));

describe.each(lists.map(({ name }) => name))("%s", (name) => {
  const idOf = OWNERS[name] ?? agent.id;

  it.each<[string, string]>([
    ["0", "expected number to be at least 1"],
    ["201", "expected number to be at most 200"],
    ["1.5", "expected whole number, received number"],
    ["ten", "expected number"],
    ["", "expected number to be at least 1"],
  ])("refuses limit=%s", async (limit, message) => {
    const answer = await world.call(name, { params: { id: idOf }, query: { limit } });
    expect(answer.status).toBe(422);
    expect(fieldsOf(answer)).toEqual([`limit: ${message}`]);
  });

  it.each(["x", "e30", "bnVsbA", "%", `"`])("refuses the cursor %j", async (cursor) => {
    const answer = await world.call(name, { params: { id: idOf }, query: { cursor } });
    expect(answer.status).toBe(422);
    expect(fieldsOf(answer)).toEqual(["cursor: expected the nextCursor of an earlier page"]);
  });

  it("names every wrong parameter at once", async () => {
    const answer = await world.call(name, { params: { id: idOf }, query: { limit: "0", cursor: "x", page: "2" } });
    expect(fieldsOf(answer).map((field) => field.split(":")[0])).toEqual(["limit", "cursor", "page"]);
  });

  it("takes the largest limit and the smallest", async () => {
    for (const limit of ["1", "200"]) {
      expect((await world.call(name, { params: { id: idOf }, query: { limit } })).status).toBe(200);
    }
  });
});

it("refuses a parameter that is given twice", async () => {
  const response = await fetch(`${world.url}/v1/agents?limit=1&limit=2`, {
    headers: { authorization: `Bearer ${world.key}` },
  });
  expect(response.status).toBe(422);
});
