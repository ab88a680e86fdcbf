import { createdApiKeySchema, routePreviewSchema, workspaceToolSchema } from "@yagate/protocol";
import { afterAll, describe, expect, it } from "vitest";
import { expectStatus, makeAgent, problemOf, saying, start } from "./support/agents.ts";
import { EventReader } from "./support/event-reader.ts";
import { startHandler, workTool } from "./support/handler.ts";
import { asking, eventsOf, INTENT, makeShop, of, TOOL } from "./support/shop.ts";
import { startWorld } from "./support/world.ts";

const world = await startWorld({ allowSelfApproval: true });
const works = await startHandler({ body: { result: { found: "ORD-7" } } });
const fails = await startHandler({ status: 503, body: undefined });
const silent = await startHandler({ isHeld: true });
afterAll(() => world.stop());

describe("an agent with an intent", () => {
  it("calls the best capability under the name of the intent, and records why", async () => {
    const { key } = await makeShop(world, [
      { url: works.url, priority: 40 },
      { url: fails.url, priority: 20 },
    ]);
    const agent = await makeAgent(world, { tools: [{ intent: INTENT.name, required: true }] }, { key });
    const events = await eventsOf(world, { agentId: agent.id, body: asking(), key: key });
    const [decided, ...more] = of(events, "route.decided");
    expect(more).toEqual([]);
    expect(decided).toMatchObject({
      turn: 1,
      intents: [{ intent: INTENT.name, tool: TOOL, reason: "required", visibility: "shown", chosen: "shop.a" }],
      shown: { count: 1 },
    });
    expect(decided?.seq).toBeLessThan(of(events, "model.requested")[0]?.seq ?? 0);
    expect(of(events, "tool_call.requested")).toMatchObject([{ name: TOOL, capability: { key: "shop.a" } }]);
    expect(of(events, "tool_call.completed")).toMatchObject([{ result: { found: "ORD-7" } }]);
    const receipt = await world.call("getReceipt", { params: { id: decided?.executionId ?? "" }, key });
    expect(JSON.stringify(receipt.body)).toContain("business.order.query by shop.a");
  });

  it("moves to another capability at the turn after an outage, if the call itself may not move", async () => {
    const { key } = await makeShop(world, [
      { url: silent.url, priority: 90, tool: { sideEffect: "non_idempotent_write", timeout: 300 } },
      { url: works.url, priority: 10 },
    ]);
    const agent = await makeAgent(world, { tools: [{ intent: INTENT.name }], policy: { approval: "never" } }, { key });
    const events = await eventsOf(world, { agentId: agent.id, body: asking(2), key });
    expect(of(events, "route.decided").map(({ intents }) => intents[0]?.chosen)).toEqual(["shop.a", "shop.b"]);
    expect(of(events, "tool_call.requested").map(({ capability }) => capability?.key)).toEqual(["shop.a", "shop.b"]);
    expect(of(events, "tool_call.failed")).toHaveLength(1);
    expect(of(events, "tool_call.completed")).toMatchObject([{ result: { found: "ORD-7" } }]);
  });

  it("fails with NO_ROUTE before a model is asked, and warns of that when it is saved", async () => {
    const { key } = await makeShop(world, [{ url: works.url, dataClasses: ["public"] }]);
    const agent = await makeAgent(world, { tools: [{ intent: INTENT.name, required: true }] }, { key });
    const events = await eventsOf(world, { agentId: agent.id, body: asking(), key: key });
    expect(of(events, "model.requested")).toEqual([]);
    expect(of(events, "execution.failed")).toMatchObject([{ error: { code: "NO_ROUTE" } }]);
    const [decided] = of(events, "route.decided");
    expect(decided?.intents[0]?.refused).toEqual({ "shop.a": "DATA_CLASS" });
    await world.call("updateCapability", { params: { key: "shop.a" }, body: { enabled: false }, key });
    const saved = await makeAgent(world, { tools: [{ intent: INTENT.name, required: true }] }, { key });
    expect(saved.warnings).toMatchObject([{ code: "NO_ROUTE", path: "tools[0].intent", severity: "critical" }]);
  });

  it("does not run a call whose capability has changed since", async () => {
    const { key } = await makeShop(world, [{ url: works.url, approval: "always" }]);
    const agent = await makeAgent(world, { tools: [{ intent: INTENT.name }] }, { key });
    const { id } = await start(world, agent.id, asking(), { key });
    const reader = new EventReader(await world.open("followExecution", { params: { id }, key }));
    const asked = await reader.until("approval.requested");
    await reader.leave();
    const shown = await world.call("listApprovals", { key });
    expect(JSON.stringify(shown.body)).toContain("the capability shop.a requires approval for each call");
    const change = { params: { key: "shop.a" }, body: { args: { orderId: "another ${orderId}" } }, key };
    expectStatus(await world.call("updateCapability", change), 200);
    const approved = await world.call("approve", { params: { id: String(Object(asked.data).approvalId) }, key });
    expect(problemOf(approved)).toMatchObject({ status: 409, code: "CONFLICT" });
  });

  it("hides the other tools if a strict rule applies", async () => {
    const { key } = await makeShop(world, [{ url: works.url }]);
    const rules = [
      { name: "orders", when: { words: ["order"] }, intents: [INTENT.name], strict: true },
      { name: "none", when: { phrases: ["good morning"] }, toolChoice: "forbidden" },
    ];
    const tools = [{ builtin: "calculator" }, { intent: INTENT.name }];
    const agent = await makeAgent(world, { tools, routing: { rules } }, { key });
    const route = async (input: string) =>
      routePreviewSchema.parse(
        expectStatus(await world.call("routeAgent", { params: { id: agent.id }, body: { input }, key }), 200),
      );
    expect(await route("Where is my order?")).toMatchObject({ tools: [TOOL], rules: [{ name: "orders" }] });
    expect((await route("What is 2 + 2?")).tools).toEqual(["calculator", TOOL]);
    expect(await route("Good morning!")).toMatchObject({ tools: [], toolChoice: "forbidden" });
  });
});

const GOOGLES = { "google.url_fetch": "PROVIDER" };
describe("the intent url.fetch of an agent with a model of Anthropic", () => {
  it.each<[string, object, string | null, object]>([
    ["is served by Anthropic for public data", { dataClass: "public" }, "anthropic.url_fetch", GOOGLES],
    [
      ...(["is served by the gateway for confidential data", {}, "runtime.url_fetch"] as const),
      { ...GOOGLES, "anthropic.url_fetch": "DATA_CLASS" },
    ],
  ])("%s", async (_what, routing, chosen, refused) => {
    const model = "anthropic/claude-sonnet-4-20250514";
    const agent = await makeAgent(world, { model, tools: [{ intent: "url.fetch" }], routing });
    const answer = await world.call("routeAgent", { params: { id: agent.id }, body: { input: "Read it." } });
    const [route] = routePreviewSchema.parse(expectStatus(answer, 200)).intents;
    expect([route?.tool, route?.chosen, route?.refused]).toEqual(["url_fetch", chosen, refused]);
  });
});

describe("the intent code.exec", () => {
  const chosenFor = async (model: string, agent: object = {}) => {
    const { id } = await makeAgent(world, { model, tools: [{ intent: "code.exec" }], ...agent });
    const body = { input: "What is 6 * 7?", routing: { dataClass: "internal" } };
    const preview = routePreviewSchema.parse(
      expectStatus(await world.call("routeAgent", { params: { id }, body }), 200),
    );
    return { chosen: preview.intents[0]?.chosen, tools: preview.tools, refused: preview.intents[0]?.refused };
  };

  it.each([
    ["claude-sonnet-4-20250514", "anthropic.code_exec"],
    ["openai/gpt-5", "openai.code_exec"],
    ["google/gemini-3.5-flash", "google.code_exec"],
  ])("is served by the provider of %s", async (model, key) => {
    expect(await chosenFor(model)).toMatchObject({ chosen: key, tools: ["code_exec"] });
  });

  it("is not served by a provider that would refuse the agent's other tools", async () => {
    const own = workTool(works.url, { name: "work", sideEffect: "read_only" });
    const model = "google/gemini-2.5-flash";
    for (const [other, chosen] of [
      [[], "google.code_exec"],
      [[own], null],
    ] as const) {
      expect(await chosenFor(model, { tools: [{ intent: "code.exec" }, ...other] })).toMatchObject({ chosen });
    }
    const tools = [{ intent: "url.fetch" }, own];
    expect(await chosenFor(model, { tools, policy: { network: true } })).toMatchObject({ chosen: "runtime.url_fetch" });
  });

  it("is not served by a provider whose calls the policy denies or must ask a person about", async () => {
    for (const policy of [{ toolKinds: ["handler"] }, { approval: "always" }]) {
      const { chosen, refused } = await chosenFor("openai/gpt-5", { policy });
      expect([chosen, refused?.["openai.code_exec"]]).toEqual([null, "POLICY"]);
    }
  });

  it("is denied if the risk class of an override needs an approval", async () => {
    const { key } = await world.makeWorkspace("risky");
    const change = { params: { key: "openai.code_exec" }, body: { riskClass: "business_write" }, key };
    expectStatus(await world.call("updateCapability", change), 200);
    const agent = { model: "openai/gpt-5", tools: [{ intent: "code.exec" }], policy: { approval: "writes" } };
    const { id } = await makeAgent(world, agent, { key });
    const body = { input: "x", routing: { dataClass: "internal" } };
    const preview = expectStatus(await world.call("routeAgent", { params: { id }, body, key }), 200);
    expect(routePreviewSchema.parse(preview).intents[0]?.refused).toMatchObject({ "openai.code_exec": "POLICY" });
  });

  it("is served by a tool of the workspace, which gets the code", async () => {
    const { key } = await world.makeWorkspace("sandbox");
    const parameters = {
      type: "object",
      properties: { source: { type: "string", minLength: 1, maxLength: 100_000 } },
      required: ["source"],
      additionalProperties: false,
    };
    const definition = workTool(works.url, { name: "run_code", parameters, sideEffect: "read_only" });
    const tool = workspaceToolSchema.parse(
      expectStatus(await world.call("createTool", { body: { definition }, key }), 201),
    );
    const capability = { key: "mine.sandbox", intent: "code.exec", mode: "sandboxed", target: { tool: tool.id } };
    const body = { ...capability, args: { source: "${code}" } };
    expectStatus(await world.call("createCapability", { body, key }), 201);
    const agent = await makeAgent(world, { tools: [{ intent: "code.exec", required: true }] }, { key });
    const call = { name: "code_exec", parameters: { code: "print(6 * 7)", language: "python" } };
    const script = { turns: [{ toolCalls: [call] }, { text: "done" }] };
    const events = await eventsOf(world, { agentId: agent.id, body: { input: "Run it.", script }, key });
    expect(of(events, "tool_call.completed")).toHaveLength(1);
    expect(works.requests.at(-1)?.body).toMatchObject({ parameters: { source: "print(6 * 7)" } });
  });
});

describe("the bounds of an API key", () => {
  it("hold for every request, and for the dry run", async () => {
    const { key, workspaceId } = await makeShop(world, [{ url: works.url, requiredScopes: ["orders"] }]);
    const agent = await makeAgent(world, { tools: [{ intent: INTENT.name, required: true }] }, { key });
    const makeKey = async (routing: object) =>
      createdApiKeySchema.parse(
        expectStatus(
          await world.call("createApiKey", {
            body: { name: "k", scopes: ["executions", "agents"], workspaceId, routing },
          }),
          201,
        ),
      ).key;
    const narrow = await makeKey({ scopes: ["billing"] });
    const wide = await makeKey({ scopes: ["orders"] });
    const routing = { scopes: ["orders"] };
    const refusalOf = async (with_: string) => {
      const call = { params: { id: agent.id }, body: { input: "x", routing }, key: with_ };
      return routePreviewSchema.parse(expectStatus(await world.call("routeAgent", call), 200)).intents[0]?.refused;
    };
    expect(await refusalOf(narrow)).toEqual({ "shop.a": "SCOPES" });
    expect(await refusalOf(wide)).toEqual({});
    const failed = await eventsOf(world, { agentId: agent.id, body: { ...asking(), routing }, key: narrow });
    expect(of(failed, "execution.failed")).toMatchObject([{ error: { code: "NO_ROUTE" } }]);
    expect(
      of(
        await eventsOf(world, { agentId: agent.id, body: { ...asking(), routing }, key: wide }),
        "tool_call.completed",
      ),
    ).toHaveLength(1);
  });

  it("an unknown intent in a request is rejected", async () => {
    const { key } = await makeShop(world, []);
    const agent = await makeAgent(world, {}, { key });
    const body = { ...saying("hi"), routing: { intents: ["business.order.qery"] } };
    const answer = await world.call("executeAgent", { params: { id: agent.id }, body, key });
    expect(problemOf(answer)).toMatchObject({
      status: 422,
      errors: [
        { path: "routing.intents[0]", code: "UNKNOWN_INTENT", message: expect.stringContaining("did you mean") },
      ],
    });
  });
});

describe("an agent is rejected", () => {
  it.each<[string, object, string, string]>([
    ["with an unknown intent", { tools: [{ intent: "web.serch" }] }, "tools[0].intent", "UNKNOWN_INTENT"],
    [
      "with a tool of the same name",
      { tools: [{ builtin: "web_search" }, { intent: "web.search" }] },
      "tools[1].intent",
      "NAME_TAKEN",
    ],
    [
      "with a rule for an intent that it does not list",
      { routing: { rules: [{ when: { words: ["x"] }, intents: ["web.search"] }] } },
      "routing.rules[0].intents[0]",
      "UNKNOWN_INTENT",
    ],
    [
      "with a pattern that would be slow",
      { routing: { rules: [{ when: { patterns: ["(a)\\1"] }, toolChoice: "forbidden" }] } },
      "routing.rules[0].when.patterns[0]",
      "PATTERN_REFUSED",
    ],
    [
      "with rules that contradict each other",
      {
        routing: {
          rules: [
            { when: { words: ["x"] }, toolChoice: "forbidden" },
            { when: { words: ["x"] }, toolChoice: "required" },
          ],
        },
      },
      "routing.rules[1]",
      "RULES_CONFLICT",
    ],
  ])("%s", async (_what, fields, path, code) => {
    const body = { name: "a", model: "scripted/turns", ...fields };
    const answer = await world.call("createAgent", { body });
    expect(problemOf(answer)).toMatchObject({ status: 422, errors: [{ path, code }] });
  });
});

it("an agent without intents and rules records no decision", async () => {
  const agent = await makeAgent(world, { tools: [{ builtin: "calculator" }] });
  expect(of(await eventsOf(world, { agentId: agent.id, body: saying("hi"), key: world.key }), "route.decided")).toEqual(
    [],
  );
});
