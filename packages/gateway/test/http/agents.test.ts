import { type Agent, agentSchema, DEFAULT_LIMITS, pageSchema } from "@yagate/protocol";
import { afterAll, describe, expect, it } from "vitest";
import { execute, expectStatus, fieldsOf, makeAgent, problemOf, saying } from "./support/agents.ts";
import { workTool } from "./support/handler.ts";
import { startWorld } from "./support/world.ts";

const world = await startWorld({ providers: { openai: { apiKey: "sk-test" } } });
afterAll(() => world.stop());

const tool = workTool("https://tools.example/work");
const warningsOf = ({ warnings = [] }: Agent) => warnings.map(({ path, code }) => `${path}: ${code}`);

async function change(agent: Agent, body: object): Promise<Agent> {
  return agentSchema.parse(expectStatus(await world.call("updateAgent", { params: { id: agent.id }, body }), 200));
}

async function read(agent: Agent): Promise<Agent> {
  return agentSchema.parse(expectStatus(await world.call("getAgent", { params: { id: agent.id } }), 200));
}

async function versions(agent: Agent, query: Record<string, string> = {}) {
  const { body } = await world.call("listAgentVersions", { params: { id: agent.id }, query });
  return pageSchema(agentSchema).parse(body);
}

describe("creating", () => {
  it("fills in what was left out", async () => {
    const { body } = await world.call("createAgent", { body: { name: " Desk ", model: "scripted/keyword" } });
    expect(body).toEqual({
      id: expect.stringMatching(/^agt_/),
      version: 1,
      name: "Desk",
      description: "",
      exposed: false,
      model: "scripted/keyword",
      systemPrompt: "",
      tools: [],
      limits: DEFAULT_LIMITS,
      integrations: [],
      credentials: [],
      webhookUrls: [],
      policy: { network: false, approval: "destructive" },
      createdAt: expect.stringMatching(/Z$/),
      updatedAt: expect.stringMatching(/Z$/),
      warnings: [],
    });
  });

  it("keeps what was said", async () => {
    const definition = {
      systemPrompt: "Be brief.",
      tools: [tool, { builtin: "calculator" }],
      limits: { maxToolIterations: 0, maxToolCostUsd: 0.5 },
      policy: { network: true, toolKinds: ["handler", "compute"], approval: "never" },
    };
    const agent = await makeAgent(world, definition);
    expect(agent).toMatchObject({ ...definition, limits: { ...DEFAULT_LIMITS, ...definition.limits } });
    const { warnings: _warnings, ...saved } = agent;
    expect(await read(agent)).toEqual(saved);
  });

  it("saves the alias summarizer as text_summarizer", async () => {
    const agent = await makeAgent(world, { tools: [{ builtin: "summarizer" }] });
    expect(agent.tools).toEqual([{ builtin: "text_summarizer" }]);
  });

  it.each<[string, Record<string, unknown>, readonly string[]]>([
    ["a model of a provider without a key", { model: "anthropic/claude-sonnet-4" }, ["model: NOT_CONFIGURED"]],
    ["a model of a provider with a key", { model: "gpt-5" }, []],
    [
      "a tool without a side effect",
      { tools: [{ ...tool, sideEffect: undefined }] },
      ["tools[0].sideEffect: SIDE_EFFECT_UNDECLARED"],
    ],
    ["a built-in that nobody configured", { tools: [{ builtin: "web_search" }] }, ["tools[0].builtin: NOT_CONFIGURED"]],
  ])("says what its author wants to know: %s", async (_what, definition, warnings) => {
    expect(warningsOf(await makeAgent(world, definition))).toEqual(warnings);
  });

  it.each<[string, object, readonly string[]]>([
    ["an unknown model", { model: "nobody/knows" }, ["model"]],
    ["a bare name of no provider", { model: "llama" }, ["model"]],
    [
      "two tools of one name",
      { tools: [tool, { ...tool, handler: "https://tools.example/other" }] },
      ["tools[1].name"],
    ],
    [
      "two names that differ in dots only",
      {
        tools: [
          { ...tool, name: "a.b" },
          { ...tool, name: "a_b" },
        ],
      },
      ["tools[1].name"],
    ],
    [
      "a tool named like a built-in",
      { tools: [{ builtin: "calculator" }, { ...tool, name: "calculator" }] },
      ["tools[1].name"],
    ],
    [
      "a built-in twice, once by its alias",
      { tools: [{ builtin: "text_summarizer" }, { builtin: "summarizer" }] },
      ["tools[1].builtin"],
    ],
    ["a private handler", { tools: [workTool("https://10.0.0.1/work")] }, ["tools[0].handler"]],
    ["a handler with a fragment", { tools: [workTool("https://tools.example/work#a")] }, ["tools[0].handler"]],
    [
      "a signing secret that does not exist",
      { tools: [{ ...tool, signingSecret: "nobody" }] },
      ["tools[0].signingSecret"],
    ],
    [
      "several things at once",
      { model: "nobody/knows", tools: [workTool("https://10.0.0.1/x", { signingSecret: "nobody" })] },
      ["model", "tools[0].handler", "tools[0].signingSecret"],
    ],
  ])("refuses %s", async (_what, definition, paths) => {
    const body = { name: "test", model: "scripted/keyword", ...definition };
    const answer = await world.call("createAgent", { body });
    expect(answer.status).toBe(422);
    expect(fieldsOf(answer).map((field) => field.split(":")[0])).toEqual(paths);
  });
});

describe("changing", () => {
  it("makes the next version and leaves the earlier ones as they were", async () => {
    const first = await makeAgent(world, { name: "one", systemPrompt: "first" });
    const second = await change(first, { name: "two" });
    const third = await change(first, { systemPrompt: "third", tools: [tool] });
    expect([second.version, third.version]).toEqual([2, 3]);
    expect(third).toMatchObject({ name: "two", systemPrompt: "third", createdAt: first.createdAt });
    const { data } = await versions(first);
    expect(data.map(({ version, name, systemPrompt }) => [version, name, systemPrompt])).toEqual([
      [3, "two", "third"],
      [2, "two", "first"],
      [1, "one", "first"],
    ]);
    const { warnings: _warnings, ...saved } = first;
    expect(data[2]).toEqual(saved);
  });

  it("gives the versions in pages", async () => {
    const agent = await makeAgent(world);
    for (const name of ["a", "b", "c"]) await change(agent, { name });
    const first = await versions(agent, { limit: "3" });
    const second = await versions(agent, { limit: "3", cursor: first.nextCursor ?? "" });
    expect([...first.data, ...second.data].map(({ version }) => version)).toEqual([4, 3, 2, 1]);
    expect(second.nextCursor).toBeNull();
  });

  it("keeps the limits and the policy that a change does not name", async () => {
    const agent = await makeAgent(world, { limits: { maxToolIterations: 2 }, policy: { approval: "always" } });
    const changed = await change(agent, { limits: { maxWallTimeMs: 1_000 }, policy: { network: true } });
    expect(changed.limits).toEqual({ ...DEFAULT_LIMITS, maxToolIterations: 2, maxWallTimeMs: 1_000 });
    expect(changed.policy).toEqual({ network: true, approval: "always" });
  });

  it("takes the current version, and answers a stale one with the current one's number", async () => {
    const agent = await makeAgent(world);
    await change(agent, { version: 1, name: "mine" });
    const answer = await world.call("updateAgent", { params: { id: agent.id }, body: { version: 1, name: "theirs" } });
    expect(problemOf(answer)).toMatchObject({
      status: 409,
      code: "CONFLICT",
      detail: "expected the current version, which is 2",
    });
    expect(await read(agent)).toMatchObject({ name: "mine", version: 2 });
  });

  it.each([{}, { name: "same" }, { version: 1, limits: {}, policy: { network: false } }])(
    "makes no version of a change that changes nothing: %j",
    async (body) => {
      const agent = await makeAgent(world, { name: "same" });
      expect(await change(agent, body)).toEqual(agent);
    },
  );

  it("lays changes that come at once one over the other, each a version of its own", async () => {
    const agent = await makeAgent(world);
    const changes = [{ name: "n" }, { systemPrompt: "p" }, { limits: { maxToolIterations: 1 } }];
    const changed = await Promise.all(changes.map((body) => change(agent, body)));
    expect(changed.map(({ version }) => version).sort()).toEqual([2, 3, 4]);
    expect(await read(agent)).toMatchObject({
      name: "n",
      systemPrompt: "p",
      limits: { maxToolIterations: 1 },
      version: 4,
    });
  });

  it("lets one of several changes of the same version win", async () => {
    const agent = await makeAgent(world);
    const bodies = ["a", "b", "c", "d"].map((name) => ({ version: 1, name }));
    const answers = await Promise.all(
      bodies.map((body) => world.call("updateAgent", { params: { id: agent.id }, body })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409]);
    expect((await read(agent)).version).toBe(2);
  });

  it("checks the whole agent, and refuses a change that would break it", async () => {
    const agent = await makeAgent(world, { tools: [tool] });
    const body = { tools: [tool, tool] };
    const answer = await world.call("updateAgent", { params: { id: agent.id }, body });
    expect(fieldsOf(answer).map((field) => field.split(":")[0])).toEqual(["tools[1].name"]);
    expect((await read(agent)).version).toBe(1);
  });
});

describe("archiving", () => {
  it("hides the agent, and keeps its versions and its executions", async () => {
    const agent = await makeAgent(world, { name: "old" });
    const execution = await execute(world, agent.id, saying("hi"));
    const params = { id: agent.id };
    expect((await world.call("archiveAgent", { params })).status).toBe(204);
    for (const [name, body] of [
      ["getAgent", undefined],
      ["updateAgent", { name: "new" }],
      ["archiveAgent", undefined],
      ["executeAgent", saying("hi")],
    ] as const) {
      expect(await world.call(name, { params, body })).toMatchObject({ status: 404 });
    }
    expect(JSON.stringify((await world.call("listAgents")).body)).not.toContain(agent.id);
    expect((await versions(agent)).data).toHaveLength(1);
    expect((await world.call("getExecution", { params: { id: execution.id } })).status).toBe(200);
  });
});

it("lists agents newest first, in pages", async () => {
  const { key } = await world.makeWorkspace("listing");
  const ids: string[] = [];
  for (const name of ["a", "b", "c"]) ids.unshift((await makeAgent(world, { name }, { key })).id);
  const page = async (query: Record<string, string>) =>
    pageSchema(agentSchema).parse((await world.call("listAgents", { key, query })).body);
  const first = await page({ limit: "2" });
  const second = await page({ limit: "2", cursor: first.nextCursor ?? "" });
  expect([...first.data, ...second.data].map(({ id }) => id)).toEqual(ids);
  expect(second.nextCursor).toBeNull();
});
