import type { Script } from "@yagate/protocol";
import { describe, expect, it } from "vitest";
import { openShop, READ, type Shop, type Tools, WRITE } from "./support/untrusted-shop.ts";

const INBOX = { name: "inbox", parameters: {} };
const UNDECLARED = { sideEffect: undefined };
const ASKING = { untrusted: "approve_undeclared" } as const;

describe("policy.untrusted: approve_undeclared", () => {
  it("asks before a tool that declares nothing, over a restart, and sends what a person changed", async () => {
    const shop = await openShop();
    const id = await shop.play([shop.rest(), shop.write(UNDECLARED)], undefined, ASKING);
    const origin = new URL(shop.api.url).origin;
    const policyReason = `after reading untrusted content (${origin} through news.read), the model needs an approval for tools that declare no side effect`;
    expect(await shop.pending()).toMatchObject([{ policyReason, tool: { name: "note_order", risk: null } }]);
    expect(shop.own.calls).toEqual([]);

    await shop.restart();
    const [approval] = await shop.pending();
    expect(approval).toMatchObject({ executionId: id, policyReason });
    await shop.client.approvals.approve(approval?.id ?? "", { parameters: { orderId: "ORD-2" } });
    await shop.untilEnded(id);
    expect(await shop.client.executions.get(id)).toMatchObject({ status: "completed" });
    expect(shop.own.calls.map(({ body }) => JSON.parse(body.toString()).parameters)).toEqual([{ orderId: "ORD-2" }]);
    const account = (await shop.client.executions.receipt(id)).account.map(({ text }) => text).join("\n");
    expect(account).toContain(`approval required (${policyReason})`);
    expect((await shop.client.agents.list().toArray())[0]?.policy).toMatchObject(ASKING);
  });

  it("asks before declared writes as approve_writes does", async () => {
    const shop = await openShop();
    await shop.play([shop.rest(), shop.write()], undefined, ASKING);
    expect(await shop.pending()).toMatchObject([{ tool: { risk: "idempotent_write" } }]);
  });

  it.each<[string, { write?: object; policy?: object; turns?: Script["turns"] }]>([
    ["nothing was read before", { turns: [{ toolCalls: [WRITE] }, { toolCalls: [READ] }, { text: "Done." }] }],
    ["both were asked for in one turn", { turns: [{ toolCalls: [READ, WRITE] }, { text: "Done." }] }],
    ["the tool says that it only reads", { write: { sideEffect: "read_only" } }],
    ["the tool says never", { write: { approval: "never" } }],
    ["the agent leaves the default", { policy: { untrusted: "approve_writes" } }],
  ])("asks no person where %s", async (_name, { write, policy, turns: given }) => {
    const shop = await openShop();
    const id = await shop.play([shop.rest(), shop.write({ ...UNDECLARED, ...write })], given, { ...ASKING, ...policy });
    expect(await shop.client.executions.get(id)).toMatchObject({ status: "completed", output: { text: "Done." } });
    expect(shop.own.calls).toHaveLength(1);
  });
});

describe("a handler tool with trusted: false", () => {
  const READ_MAIL: Script["turns"] = [{ toolCalls: [INBOX] }, { toolCalls: [WRITE] }, { text: "Done." }];

  it("brings untrusted content: its calls are marked, and a write after them asks, over a restart", async () => {
    const shop = await openShop();
    const id = await shop.play([shop.inbox(), shop.write()], READ_MAIL);
    await shop.restart();
    const [approval] = await shop.pending();
    const policyReason = expect.stringMatching(
      /^after reading untrusted content \(.* through inbox\), the model needs an approval/,
    );
    expect(approval).toMatchObject({ tool: { name: "note_order" }, policyReason });
    await shop.client.approvals.approve(approval?.id ?? "");
    const calls = async () => {
      const all = await shop.client.executions.toolCalls(id).toArray();
      return all.map(({ name, isUntrusted, status }) => [name, isUntrusted, status]);
    };
    await expect.poll(calls).toEqual([
      ["inbox", true, "completed"],
      ["note_order", undefined, "completed"],
    ]);
  });

  it("counts where a person changed its arguments, and where its failure quotes others", async () => {
    const shop = await openShop();
    const id = await shop.play([shop.inbox({ approval: "always" }), shop.write()], READ_MAIL);
    const [first] = await shop.pending();
    expect(first).toMatchObject({ tool: { name: "inbox" } });
    await shop.client.approvals.approve(first?.id ?? "", { parameters: { isEmpty: true } });
    await expect.poll(shop.pending).toMatchObject([{ tool: { name: "note_order" } }]);
    const [call] = await shop.client.executions.toolCalls(id).toArray();
    expect(call).toMatchObject({ isUntrusted: true, status: "failed", error: { source: "handler" } });
  });

  it.each<[string, object, Script["turns"]]>([
    ["without the field", { trusted: undefined }, READ_MAIL],
    ["with trusted: true", { trusted: true }, READ_MAIL],
    ["that is read in the same turn", {}, [{ toolCalls: [INBOX, WRITE] }, { text: "Done." }]],
    ["that is read afterwards", {}, [{ toolCalls: [WRITE] }, { toolCalls: [INBOX] }, { text: "Done." }]],
  ])("makes no write ask %s", async (_name, change, given) => {
    const shop = await openShop();
    const id = await shop.play([shop.inbox(change), shop.write()], given);
    expect(await shop.client.executions.get(id)).toMatchObject({ status: "completed" });
  });

  it("is kept by a tool of the workspace", async () => {
    const shop = await openShop();
    const tool = await shop.client.tools.create({ definition: shop.inbox() });
    expect((await shop.client.tools.get(tool.id)).definition).toMatchObject({ trusted: false });
  });
});

describe("api_call", () => {
  const call = (shop: Shop, method: string, headers = {}) => ({
    name: "api_call",
    parameters: { method, url: `${shop.api.url}/orders`, credential: "SHOP", headers },
  });
  const play = async (methods: readonly (readonly string[])[], config = {}, policy = {}, headers?: object) => {
    const shop = await openShop();
    const access = await shop.integrate();
    const agent = await shop.create([{ builtin: "api_call", config }], policy, access);
    const asked = methods.map((turn) => ({ toolCalls: turn.map((method) => call(shop, method, headers)) }));
    const id = await shop.begin(agent.id, [...asked, { text: "Done." }]);
    const calls = await shop.client.executions.toolCalls(id).toArray();
    const { status } = await shop.client.executions.get(id);
    return { shop, id, status, calls: calls.map((one) => [one.risk, one.policyDecision?.decision, one.status]) };
  };
  const WRITES = { sideEffect: "non_idempotent_write" };
  const READS = ["external_read", "allowed", "completed"];

  it("asks no person about a second GET, whatever its other methods may do", async () => {
    const { status, calls } = await play([["GET"], ["GET", "GET"]], WRITES);
    expect({ status, calls }).toEqual({ status: "completed", calls: [READS, READS, READS] });
  });

  it("asks about every other method, for the risk of the tool", async () => {
    const { shop, status, calls } = await play([["GET"], ["POST", "GET"]], WRITES);
    expect({ status, calls }).toEqual({
      status: "waiting",
      calls: [READS, ["business_write", "approval_required", "waiting_approval"], READS],
    });
    expect(shop.api.requests.map(({ method }) => method)).toEqual(["GET", "GET"]);
  });

  it("that declares nothing asks about other methods under approve_undeclared alone", async () => {
    expect(await play([["GET"], ["DELETE"]])).toMatchObject({
      calls: [READS, [null, "allowed", "completed"]],
    });
    expect(await play([["GET"], ["GET"], ["DELETE"]], {}, ASKING)).toMatchObject({
      calls: [READS, READS, [null, "approval_required", "waiting_approval"]],
    });
  });

  it.each(["X-HTTP-Method-Override", "x-http-method", "X-Method-Override", "X_HTTP_METHOD_OVERRIDE"])(
    "sends no GET that has the header %s, which would have a server write",
    async (name) => {
      const { shop, calls } = await play([["GET"], ["POST"]], {}, ASKING, { [name]: "DELETE" });
      expect(shop.api.requests.map(({ method }) => method)).toEqual(["POST"]);
      expect(calls).toMatchObject([
        [null, "allowed", "failed"],
        [null, "allowed", "completed"],
      ]);
    },
  );

  it("asks as its approval says, also about a GET", async () => {
    const asks = ["external_read", "approval_required", "waiting_approval"];
    expect(await play([["GET"]], { approval: "always" })).toMatchObject({ calls: [asks] });
  });
});

it("a GET that names another method in a header is no read by itself", async () => {
  const shop = await openShop();
  const header = { name: "X-Http-Method-Override", in: "header", type: "string", value: "DELETE" } as const;
  const composed = {
    name: "orders.delete",
    description: "Deletes an order.",
    parameters: { type: "object", properties: {} },
    implementation: {
      primitive: "http_request",
      args: { method: "GET", url: `${shop.api.url}/orders`, headers: { [header.name]: "DELETE" } },
    },
  };
  const rest = shop.rest({ name: "orders.drop", parameters: [header] });
  for (const [name, tool] of [
    ["orders.delete", composed],
    ["orders.drop", rest],
  ] as const) {
    const turns = [{ toolCalls: [READ] }, { toolCalls: [{ name, parameters: {} }] }, { text: "Done." }];
    await shop.play([shop.rest(), tool], turns, ASKING);
    expect((await shop.pending())[0]).toMatchObject({ tool: { name, risk: null } });
  }
});

describe("an agent is saved with UNDECLARED_AFTER_UNTRUSTED", () => {
  const warningsOf = async (tools: (shop: Shop) => Tools, policy = {}) => {
    const shop = await openShop();
    const { id, warnings = [] } = await shop.create(tools(shop), policy);
    const { warnings: again = [] } = await shop.client.agents.update(id, { name: "Another" });
    expect(again.map(({ code }) => code)).toEqual(warnings.map(({ code }) => code));
    return warnings.filter(({ code }) => code === "UNDECLARED_AFTER_UNTRUSTED");
  };

  it("that names both sides and the two ways out", async () => {
    const [warning, ...others] = await warningsOf((shop) => [
      shop.rest(),
      { builtin: "url_fetch" },
      shop.inbox(),
      shop.write(UNDECLARED),
      {
        name: "orders.delete",
        description: "Deletes an order.",
        parameters: { type: "object", properties: {} },
        implementation: { primitive: "http_request", args: { method: "DELETE", url: `${shop.api.url}/orders` } },
      },
    ]);
    expect(others).toEqual([]);
    expect(warning?.path).toBe("policy.untrusted");
    expect(warning?.message).toBe(
      "untrusted content can come from news.read, url_fetch, inbox, orders.delete; tools without a declared side effect " +
        "run without approval after it: note_order, orders.delete. Declare a side effect for each of them, or set " +
        'policy.untrusted to "approve_undeclared"',
    );
  });

  it.each<[string, (shop: Shop) => Tools, object]>([
    ["every tool declares what it does", (shop) => [shop.rest(), shop.write()], {}],
    ["the source is trusted", (shop) => [shop.rest({ trusted: true }), shop.write(UNDECLARED)], {}],
    ["nothing brings untrusted content", (shop) => [shop.write(UNDECLARED), { builtin: "calculator" }], {}],
    ["the policy asks", (shop) => [shop.rest(), shop.write(UNDECLARED)], ASKING],
    ["the policy allows it", (shop) => [shop.rest(), shop.write(UNDECLARED)], { untrusted: "allow" }],
    ["the tool always asks", (shop) => [shop.rest(), shop.write({ ...UNDECLARED, approval: "always" })], {}],
    ["the tool never asks", (shop) => [shop.rest(), shop.write({ ...UNDECLARED, approval: "never" })], {}],
    ["the source may not run", (shop) => [shop.rest(), shop.write(UNDECLARED)], { network: false }],
  ])("but not where %s", async (_name, tools, policy) => {
    expect(await warningsOf(tools, policy)).toEqual([]);
  });
});
