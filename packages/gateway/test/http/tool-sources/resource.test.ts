import { pageSchema, type ToolSource, toolSourceSchema } from "@yagate/protocol";
import { afterAll, describe, expect, it } from "vitest";
import { expectStatus, fieldsOf, problemOf } from "../support/agents.ts";
import { describedTool } from "../support/describing-handler.ts";
import { startToolSourceWorld } from "../support/tool-source-world.ts";

const world = await startToolSourceWorld();
afterAll(() => world.stop());
const handler = await world.startHandler([describedTool("lookup"), describedTool("refund")]);

const list = async (key = world.key): Promise<readonly ToolSource[]> => {
  const answer = await world.call("listToolSources", { key });
  return pageSchema(toolSourceSchema).parse(expectStatus(answer, 200)).data;
};
const create = (body: object) =>
  world.call("createToolSource", { body: { name: "orders", kind: "handler", url: handler.url, ...body } });

describe("a tool source", () => {
  it("is created with its tools held, read, changed and deleted", async () => {
    const made = await world.makeSource(handler);
    const params = { id: made.id };
    expect(made).toMatchObject({
      ...{ kind: "handler", url: handler.url, signingSecret: "default", include: null, exclude: [], defaults: {} },
      ...{ overrides: {}, onChange: "hold", status: "changed", reason: null, generation: 1 },
      ...{ syncIntervalSeconds: 900, syncedAt: expect.any(String) },
      toolCounts: { published: 2, accepted: 0, held: 2, removed: 0 },
      tools: [
        { name: "lookup", toolName: `${made.name}.lookup`, state: "new", isOffered: false, acceptedHash: null },
        { name: "refund", toolName: `${made.name}.refund`, state: "new", isOffered: false, sideEffect: "read_only" },
      ],
    });
    const waitMs = Date.parse(made.nextSyncAt ?? "") - Date.parse(made.syncedAt ?? "");
    expect(waitMs).toBeGreaterThanOrEqual(810_000);
    expect(waitMs).toBeLessThanOrEqual(990_000);
    expect(await world.readSource(made.id)).toEqual(made);
    const { tools: _tools, ...listed } = made;
    expect((await list()).find(({ id }) => id === made.id)).toEqual(listed);
    const changed = await world.call("updateToolSource", { params, body: { exclude: ["re*"], onChange: "additive" } });
    expect(expectStatus(changed, 200)).toMatchObject({
      ...{ exclude: ["re*"], onChange: "additive", toolCounts: { published: 1 }, tools: [{ name: "lookup" }] },
    });
    expectStatus(await world.call("deleteToolSource", { params }), 204);
    expect((await world.call("getToolSource", { params })).status).toBe(404);
    expect(await list()).toEqual([]);
    await world.makeSource(handler, { name: made.name });
  });

  it("accepts all tools of its first sync on request", async () => {
    const made = await world.makeSource(handler, { accept: "all" });
    expect(made).toMatchObject({
      ...{ status: "ready", toolCounts: { accepted: 2, held: 0 } },
      tools: [{ state: "accepted", isOffered: true }, { state: "accepted" }],
    });
    handler.tools = [...handler.tools, describedTool("later")];
    expect(await world.sync(made.id)).toMatchObject({ status: "changed", toolCounts: { accepted: 2, held: 1 } });
  });

  it.each<[string, object, readonly string[]]>([
    ["no name", { name: undefined }, ["name"]],
    ["a name with a capital", { name: "Orders" }, ["name"]],
    ["a name of 25 characters", { name: "a".repeat(25) }, ["name"]],
    ["the name toolkit", { name: "toolkit" }, ["name"]],
    ["the name yagate", { name: "yagate" }, ["name"]],
    ["the name of a built-in tool", { name: "calculator" }, ["name"]],
    ["the name of a primitive", { name: "http_get" }, ["name"]],
    ["another kind", { kind: "ftp" }, ["kind"]],
    ["a text that is no URL", { url: "orders" }, ["url"]],
    ["a url that the gateway may not call", { url: "http://10.1.2.3/tools" }, ["url"]],
    ["a signing secret that does not exist", { signingSecret: "billing" }, ["signingSecret"]],
    [
      "both at once",
      { url: "https://orders.example.com/tools#part", signingSecret: "billing" },
      ["url", "signingSecret"],
    ],
    ["an unknown field", { headers: {} }, ["headers"]],
    ["an unknown option", { defaults: { handler: "https://a.example" } }, ["defaults.handler"]],
    ["101 patterns", { include: Array(101).fill("a") }, ["include"]],
  ])("is refused with %s", async (_what, body, paths) => {
    const answer = await create({ name: "fresh", ...body });
    expect(answer.status).toBe(422);
    expect(problemOf(answer).errors?.map(({ path }) => path)).toEqual(paths);
  });

  it("keeps its name and kind", async () => {
    const { id } = await world.makeSource(handler);
    const answer = await world.call("updateToolSource", { params: { id }, body: { name: "other", kind: "handler" } });
    expect(fieldsOf(answer).map((text) => text.split(":")[0])).toEqual(["name", "kind"]);
  });

  it("has a name that no other source of the workspace has", async () => {
    const { name } = await world.makeSource(handler);
    expect(problemOf(await create({ name }))).toMatchObject({ status: 409, code: "CONFLICT" });
  });

  it("can be created while its handler is down, and says why it has no tools", async () => {
    const made = await world.makeSource({ url: "http://127.0.0.1:9/tools" }, { accept: "all" });
    expect(made).toMatchObject({ status: "unreachable", reason: { code: "SOURCE_UNREACHABLE" }, tools: [] });
    const moved = await world.call("updateToolSource", { params: { id: made.id }, body: { url: handler.url } });
    expect(expectStatus(moved, 200)).toMatchObject({ status: "changed", reason: null });
  });

  it("needs the scope tools", async () => {
    const { text: key } = await world.makeKey(["agents", "executions", "admin"]);
    expect((await world.call("listToolSources", { key })).status).toBe(403);
    const { text: ofTools } = await world.makeKey(["tools"]);
    expect((await list(ofTools)).length).toBeGreaterThan(0);
  });
});

it("a workspace has at most 50 sources", async () => {
  const { key } = await world.makeWorkspace("crowded");
  // Nothing listens there, so each sync fails at once.
  const make = (name: string) =>
    world.call("createToolSource", { key, body: { name, kind: "handler", url: "http://127.0.0.1:9/tools" } });
  for (let index = 0; index < 50; index += 1) expectStatus(await make(`source_${index}`), 201);
  const answer = await make("one_more");
  expect(problemOf(answer)).toMatchObject({ code: "CONFLICT", detail: expect.stringContaining("at most 50") });
});
