import { type Agent, agentSchema, type WorkspaceTool, workspaceToolSchema } from "@yagate/protocol";
import { afterAll, describe, expect, it } from "vitest";
import { calling, execute, expectStatus, fieldsOf, makeAgent, problemOf } from "./support/agents.ts";
import { startHandler, workTool } from "./support/handler.ts";
import { startWorld } from "./support/world.ts";

const world = await startWorld();
const handler = await startHandler();
afterAll(() => world.stop());

let count = 0;

async function makeTool(body: Record<string, unknown> = {}): Promise<WorkspaceTool> {
  const definition = workTool(handler.url, { name: `shared_${++count}` });
  return workspaceToolSchema.parse(
    expectStatus(await world.call("createTool", { body: { definition, ...body } }), 201),
  );
}

const tryAgent = (tools: readonly object[]) =>
  world.call("createAgent", { body: { name: "test", model: "scripted/turns", tools } });
const change = (agent: Agent, body: object) => world.call("updateAgent", { params: { id: agent.id }, body });
const bump = (tool: WorkspaceTool, body: object = { slots: 2 }) =>
  world.call("updateTool", { params: { id: tool.id }, body });
const errorsOf = (answer: Parameters<typeof problemOf>[0]) =>
  problemOf(answer).errors?.map(({ path, code }) => `${path}: ${code}`);

describe("a reference", () => {
  it("gets the version of the moment, and keeps it whatever becomes of the tool", async () => {
    const tool = await makeTool();
    const agent = await makeAgent(world, { tools: [{ tool: tool.id }] });
    expect(agent.tools).toEqual([{ tool: tool.id, version: 1 }]);
    expectStatus(await bump(tool), 200);
    expect((await change(agent, { name: "renamed" })).body).toMatchObject({ tools: [{ tool: tool.id, version: 1 }] });
    const kept = await change(agent, { tools: [{ tool: tool.id, version: 1 }, { builtin: "calculator" }] });
    expect(kept.body).toMatchObject({ tools: [{ version: 1 }, { builtin: "calculator" }] });
    expect((await change(agent, { tools: [{ tool: tool.id }] })).body).toMatchObject({ tools: [{ version: 2 }] });
    expectStatus(await world.call("archiveTool", { params: { id: tool.id } }), 204);
    const again = await change(agent, { tools: [{ tool: tool.id, version: 2 }], systemPrompt: "Be brief." });
    expect(again.body).toMatchObject({ tools: [{ version: 2 }] });
  });

  it("runs as what it refers to, in the version that was saved", async () => {
    const other = await startHandler();
    const tool = await makeTool();
    const agent = await makeAgent(world, { tools: [{ tool: tool.id }] });
    expectStatus(await bump(tool, { definition: workTool(other.url, { name: tool.name }) }), 200);
    const sent = handler.calls.length;
    await execute(world, agent.id, calling(tool.name));
    expect(handler.calls).toHaveLength(sent + 1);
    expect(other.calls).toEqual([]);
    const newer = agentSchema.parse(expectStatus(await change(agent, { tools: [{ tool: tool.id }] }), 200));
    await execute(world, newer.id, calling(tool.name));
    expect(other.calls).toHaveLength(1);
  });

  it("is refused with its place when there is no such tool, version or any more, beside everything else", async () => {
    const archived = await makeTool();
    expectStatus(await world.call("archiveTool", { params: { id: archived.id } }), 204);
    const known = await makeTool();
    const draft = await makeTool({ definition: { rest: { name: `draft_${++count}` } }, draft: true });
    const answer = await tryAgent([
      { tool: "tool_none" },
      { tool: archived.id },
      { tool: known.id, version: 9 },
      { tool: draft.id },
      { tool: known.id },
      workTool("https://10.0.0.1/x"),
    ]);
    expect(answer.status).toBe(422);
    expect(errorsOf(answer)).toEqual([
      "tools[0].tool: UNKNOWN_TOOL",
      "tools[1].tool: ARCHIVED_TOOL",
      "tools[2].tool: UNKNOWN_TOOL",
      "tools[3].tool: TOOL_NOT_CREATED",
      "tools[5].handler: URL_NOT_ALLOWED",
    ]);
    expect(JSON.stringify(answer.body)).toContain("is draft: test, validate and finalize it first");
  });

  it("takes part in the check of names", async () => {
    const tool = await makeTool();
    const answer = await tryAgent([workTool(handler.url, { name: tool.name }), { tool: tool.id }]);
    expect(answer.status).toBe(422);
    expect(problemOf(answer).errors?.map(({ path }) => path)).toEqual(["tools[1].tool"]);
  });

  it("warns at its own place", async () => {
    const definition = workTool(handler.url, { name: `shared_${++count}`, sideEffect: undefined });
    const tool = await makeTool({ definition });
    const { warnings } = await makeAgent(world, { tools: [{ builtin: "calculator" }, { tool: tool.id }] });
    expect(warnings).toMatchObject([{ path: "tools[1].tool", code: "SIDE_EFFECT_UNDECLARED" }]);
  });
});

describe("slots", () => {
  const handlers = (length: number) =>
    Array.from({ length }, (_, index) => workTool(handler.url, { name: `own_${index}` }));

  it("are 25: built-ins take none, a workspace tool what it declares", async () => {
    const database = await makeTool({ access: "full" });
    const tools = [...handlers(18), { tool: database.id }, { builtin: "calculator" }, { builtin: "datetime" }];
    expect((await tryAgent(tools)).status).toBe(201);
    const refused = await tryAgent([...tools, workTool(handler.url, { name: "one_more" })]);
    expect(problemOf(refused).errors).toMatchObject([{ path: "tools", code: "TOO_MANY_SLOTS" }]);
    expect(fieldsOf(refused)[0]).toMatch(/at most 25 slots; these use 26: remove some/);
  });

  it("are counted in a change too", async () => {
    const agent = await makeAgent(world, { tools: handlers(25) });
    expect(errorsOf(await change(agent, { tools: handlers(26) }))).toEqual(["tools: TOO_MANY_SLOTS"]);
    expect((await change(agent, { name: "renamed" })).status).toBe(200);
  });
});
