import { receiptSchema } from "@yagate/protocol";
import { beforeEach, describe, expect, it } from "vitest";
import { expectStatus, fieldsOf } from "../../http/support/agents.ts";
import { okay, startNetworkWorld, TOKEN } from "./support/network-world.ts";

const world = await startNetworkWorld();
const { service } = world;
await world.secret("SHOP", TOKEN);

beforeEach(() => {
  service.requests.length = 0;
  service.respond = okay;
});

const composed = (rest: object = {}, args: object = {}) => ({
  name: "find_order",
  description: "Finds an order.",
  parameters: {
    type: "object",
    properties: { id: { type: "string" }, tag: { type: "string" } },
    required: ["id"],
    additionalProperties: false,
  },
  implementation: {
    primitive: "http_request",
    args: {
      method: "GET",
      url: service.url("/orders/${id}"),
      headers: { Authorization: "Token ${secrets.SHOP}" },
      query: { tag: "${tag}" },
      ...args,
    },
  },
  ...rest,
});

const rest = (definition: object = {}) => ({
  rest: {
    name: "make_order",
    description: "Makes an order.",
    method: "POST",
    url: service.url("/shops/{shop}/orders"),
    parameters: [
      { name: "shop", in: "path", type: "string" },
      { name: "item", in: "body", type: "string", required: true },
      { name: "source", in: "body", type: "string", value: "yagate" },
    ],
    credential: "SHOP",
    sideEffect: "non_idempotent_write",
    ...definition,
  },
});

describe("a composed tool", () => {
  it("names all of its secrets in the record and in the receipt", async () => {
    await world.secret("SIGNATURE", "signature-planted-1");
    const headers = { Authorization: "Token ${secrets.SHOP}", "X-Signature": "${secrets.SIGNATURE}" };
    const agent = await world.agent({ tools: [composed({}, { headers })], integrations: [] });
    const { execution, calls } = await world.run(agent, [{ name: "find_order", parameters: { id: "1" } }]);
    expect(calls).toMatchObject([{ status: "completed", attempts: [{ credential: "SHOP, SIGNATURE" }] }]);
    const { body } = await world.call("getReceipt", { params: { id: execution.id } });
    const summarised = receiptSchema.parse(body);
    expect(summarised.toolCalls).toMatchObject([{ credentials: ["SHOP", "SIGNATURE"] }]);
    expect(summarised.account.map(({ text }) => text)).toContain(
      `Attempt 1 of find_order started, to ${new URL(service.url("/")).origin} (GET), with SHOP, SIGNATURE.`,
    );
  });

  it("makes the request of its template, with its secret, and nobody else sees the value", async () => {
    service.respond = (request, response) => response.end(`you sent ${request.headers.authorization}`);
    const agent = await world.agent({ tools: [composed()], integrations: [] });
    const call = await world.one(agent, "find_order", { id: "a/1", tag: "new" });
    expect(service.requests).toMatchObject([
      { method: "GET", url: "/orders/a%2F1?tag=new", headers: { authorization: `Token ${TOKEN}` } },
    ]);
    expect(call).toMatchObject({
      status: "completed",
      result: { body: "you sent Token [redacted:SHOP]" },
      cost: { credits: 0.5 },
      risk: "external_read",
    });
    const attempt = await world.attemptOf(call);
    expect(attempt.request?.headers).toMatchObject({ authorization: "Token ***SHOP***" });
    expect(call.attempts).toMatchObject([{ credential: "SHOP" }]);
    expect(JSON.stringify([call, attempt])).not.toContain("planted");
  });

  it("that asks for a value which its request can't hold is told so before it is sent", async () => {
    const agent = await world.agent({ tools: [composed()] });
    const call = await world.one(agent, "find_order", { id: ".." });
    expect(call).toMatchObject({ status: "failed", attempts: [], error: { code: "INVALID_ARGUMENTS" } });
  });

  it("sends no secret to a host that is taken from it after the tool was saved", async () => {
    await world.secret("MOVED", "moved-planted-value");
    const tool = composed({}, { headers: { "X-Key": "${secrets.MOVED}" } });
    const agent = await world.agent({ tools: [tool] });
    for (const hosts of [["api.other.test"], []]) {
      await world.secret("MOVED", "moved-planted-value", { hosts });
      const call = await world.one(agent, "find_order", { id: "1" });
      expect(call).toMatchObject({ blockReason: "url_not_allowed", error: { code: "URL_BLOCKED" } });
    }
    expectStatus(await world.call("deleteSecret", { params: { name: "MOVED" } }), 204);
    expect(await world.one(agent, "find_order", { id: "1" })).toMatchObject({ error: { code: "CREDENTIAL_UNKNOWN" } });
    expect(service.requests).toEqual([]);
  });

  it("lets no secret of the agent through in an argument", async () => {
    const agent = await world.agent({ tools: [composed()] });
    const call = await world.one(agent, "find_order", { id: "1", tag: Buffer.from(TOKEN).toString("base64") });
    expect(call).toMatchObject({ error: { code: "CREDENTIAL_LEAK" }, blockReason: "credential_leak" });
    expect(service.requests).toEqual([]);
  });

  it.each([
    ["the path", { url: service.url("/orders/${id}${tag}") }],
    ["the query", { query: { note: "${id}${tag}" } }],
    ["a header", { headers: { "x-note": "${id}${tag}" } }],
    ["the body", { method: "POST", body: { note: "${id}${tag}" } }],
  ])("lets no secret through whose halves two arguments bring to %s", async (_place, args) => {
    const tool = composed({}, { headers: {}, query: {}, ...args });
    const agent = await world.agent({ tools: [tool], credentials: ["SHOP"] });
    const call = await world.one(agent, "find_order", { id: TOKEN.slice(0, 8), tag: TOKEN.slice(8) });
    expect(call).toMatchObject({ error: { code: "CREDENTIAL_LEAK" }, blockReason: "credential_leak" });
    expect(service.requests).toEqual([]);
    const whole = await world.one(agent, "find_order", { id: TOKEN.slice(0, 8), tag: "else" });
    expect(whole.status).toBe("completed");
  });

  it("posts to a registered webhook", async () => {
    const tool = {
      ...composed(),
      implementation: {
        primitive: "webhook",
        args: { url: service.url("/hook", "hooks.test"), body: { order: "${id}" } },
      },
    };
    const call = await world.one(await world.agent({ tools: [tool] }), "find_order", { id: "7" });
    expect(call.status).toBe("completed");
    expect(service.requests).toMatchObject([{ method: "POST", url: "/hook", body: '{"order":"7"}' }]);
    const unregistered = await world.agent({ tools: [tool], webhookUrls: [] });
    expect(await world.one(unregistered, "find_order", { id: "7" })).toMatchObject({
      error: { code: "WEBHOOK_NOT_REGISTERED" },
    });
  });

  it("that computes stays inside the gateway", async () => {
    const tool = {
      name: "double",
      description: "Doubles a number.",
      parameters: { type: "object", properties: { n: { type: "number" } }, required: ["n"] },
      implementation: { primitive: "calculator", args: { expression: "2 * ${n}" } },
    };
    const call = await world.one(await world.agent({ tools: [tool], policy: {} }), "double", { n: 21 });
    expect(call).toMatchObject({ status: "completed", kind: "compute", attempts: [] });
    expect(JSON.stringify(call.result)).toContain("42");
  });

  it("does not count against what the plan allows primitives", async () => {
    const agent = await world.agent({ tools: [composed()] });
    const { calls } = await world.run(
      agent,
      Array.from({ length: 15 }, (_, index) => ({ name: "find_order", parameters: { id: String(index) } })),
    );
    expect(calls.every(({ status }) => status === "completed")).toBe(true);
  });
});

describe("a REST tool", () => {
  it("makes its request with its credential and fixed parameters", async () => {
    const agent = await world.agent({ tools: [rest()], integrations: [] });
    const call = await world.one(agent, "make_order", { shop: "north", item: "tea" });
    expect(service.requests).toMatchObject([
      {
        method: "POST",
        url: "/shops/north/orders",
        headers: { authorization: `Bearer ${TOKEN}` },
        body: '{"item":"tea","source":"yagate"}',
      },
    ]);
    expect(call).toMatchObject({
      status: "completed",
      risk: "business_write",
      cost: { credits: 0.5 },
      attempts: [{ method: "POST", credential: "SHOP" }],
    });
    expect((await world.attemptOf(call)).request?.headers).toMatchObject({ authorization: "Bearer ***SHOP***" });
  });

  it("tries again what its author lets it, and pays once", async () => {
    service.respond = (_request, response) => {
      const isFirst = service.requests.length === 1;
      response.writeHead(isFirst ? 503 : 200, isFirst ? { "retry-after": "0" } : {}).end();
    };
    const agent = await world.agent({ tools: [rest({ retries: 1, sideEffect: "idempotent_write" })] });
    const call = await world.one(agent, "make_order", { shop: "north", item: "tea" });
    expect(call).toMatchObject({
      status: "completed",
      cost: { credits: 0.5 },
      attempts: [{ number: 1 }, { number: 2 }],
    });
  });

  it("with a credential that the workspace does not have is not saved", async () => {
    const answer = await world.call("createAgent", {
      body: { name: "test", model: "scripted/turns", tools: [rest({ credential: "NOBODY" })] },
    });
    expect(answer.status).toBe(422);
    expect(fieldsOf(answer).join()).toContain("tools[0].rest.credential");
  });
});
