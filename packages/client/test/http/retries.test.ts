import { describe, expect, it } from "vitest";
import { type FetchLike, Yagate } from "../../src/index.ts";
import { clientOf } from "../support/client-of.ts";
import { manualRuntime } from "../support/manual-runtime.ts";
import { agentRecord, executionRecord } from "../support/records.ts";
import { hangUp, json, noContent, problem, type Responder, startScriptedGateway } from "../support/scripted-gateway.ts";

const PATH = "/v1/agents/agt_01";
const agent = json(200, agentRecord());
const unavailable = problem(503, "UNAVAILABLE");

/** Drops the connection after the head and half of the body. */
const breakInBody: Responder = (response) => {
  response.writeHead(200, { "content-type": "application/json", "content-length": "1000" });
  response.write('{"id":', () => response.destroy());
};

describe("a request that failed", () => {
  it.each<[string, Responder]>([
    ["a connection that broke before the answer", hangUp],
    ["a connection that broke inside the answer", breakInBody],
    ["503 with a problem", unavailable],
    ["503 of a proxy", noContent(503)],
    ["502 of a proxy", noContent(502)],
    ["504 of a proxy", noContent(504)],
    ["408", noContent(408)],
    ["425", noContent(425)],
    ["429", problem(429, "RATE_LIMITED")],
    ["a quota that time frees", problem(429, "QUOTA_EXCEEDED", { headers: { "retry-after": "0" } })],
  ])("is repeated after %s", async (_name, failure) => {
    const gateway = await startScriptedGateway({ [`GET ${PATH}`]: [failure, agent] });
    const runtime = manualRuntime();

    await expect(clientOf(gateway, {}, runtime).agents.get("agt_01")).resolves.toMatchObject({ id: "agt_01" });
    expect(runtime.delays).toEqual([500]);
  });

  it.each<[string, Responder, string]>([
    ["400", problem(400, "MALFORMED_JSON"), "MALFORMED_JSON"],
    ["404", problem(404, "NOT_FOUND"), "NOT_FOUND"],
    ["a quota that time does not free", problem(429, "QUOTA_EXCEEDED"), "QUOTA_EXCEEDED"],
    ["409", problem(409, "CONFLICT"), "CONFLICT"],
    ["a defect", problem(500, "INTERNAL"), "INTERNAL"],
    ["something that is not configured", problem(501, "NOT_CONFIGURED"), "NOT_CONFIGURED"],
    ["a wait of more than a minute", problem(503, "UNAVAILABLE", { headers: { "retry-after": "61" } }), "UNAVAILABLE"],
    ["an answer that is not JSON", (response) => void response.end("<html>"), "INVALID_RESPONSE"],
    ["an answer of another form", json(200, { id: "agt_01" }), "INVALID_RESPONSE"],
    ["a redirect", (response) => void response.writeHead(302, { location: "/elsewhere" }).end(), "INVALID_RESPONSE"],
  ])("is not repeated after %s", async (_name, failure, code) => {
    const gateway = await startScriptedGateway({ [`GET ${PATH}`]: [failure, agent] });

    await expect(clientOf(gateway).agents.get("agt_01")).rejects.toMatchObject({ code });
    expect(gateway.seen).toHaveLength(1);
  });

  it("is repeated as often as maxRetries says, later each time", async () => {
    const gateway = await startScriptedGateway({ [`GET ${PATH}`]: unavailable });
    const runtime = manualRuntime();
    const client = clientOf(gateway, { maxRetries: 5 }, runtime);

    await expect(client.agents.get("agt_01")).rejects.toMatchObject({ code: "UNAVAILABLE", status: 503 });
    expect(gateway.seen).toHaveLength(6);
    expect(runtime.delays).toEqual([500, 1_000, 2_000, 4_000, 4_000]);
  });

  it.each<[string, string, number]>([
    ["seconds", "7", 7_000],
    ["a date", "Sat, 21 Nov 2026 06:00:12 GMT", 12_000],
    ["a whole minute", "60", 60_000],
  ])("waits at least as long as Retry-After says, in %s", async (_name, header, leastMs) => {
    const failure = problem(503, "UNAVAILABLE", { headers: { "retry-after": header } });
    const gateway = await startScriptedGateway({ [`GET ${PATH}`]: [failure, agent] });
    const runtime = manualRuntime(Date.parse("2026-11-21T06:00:00Z"));
    await clientOf(gateway, {}, runtime).agents.get("agt_01");

    expect(runtime.delays).toEqual([leastMs + 500]);
  });

  it("says the same under the same idempotency key, and another request has another key", async () => {
    const gateway = await startScriptedGateway({
      "POST /v1/agents/agt_01/executions": [hangUp, json(201, executionRecord())],
    });
    const client = clientOf(gateway);
    const request = { input: "hello" };
    await client.agents.start("agt_01", request);
    await client.agents.start("agt_01", request);

    const keys = gateway.seen.map((request) => request.headers["idempotency-key"]);
    expect(keys).toEqual(["key-1", "key-1", "key-2"]);
    expect(gateway.seen.map((request) => request.bodyText)).toEqual(Array(3).fill(JSON.stringify(request)));
  });

  it("keeps the caller's own idempotency key, and refuses one that can't be a header", async () => {
    const gateway = await startScriptedGateway({
      "POST /v1/agents/agt_01/executions": json(201, executionRecord()),
    });
    const client = clientOf(gateway);
    await client.agents.start("agt_01", { input: "hello", idempotencyKey: "order-42" });

    expect(gateway.seen[0]?.headers["idempotency-key"]).toBe("order-42");
    for (const idempotencyKey of ["", "a b", "é", "x".repeat(256)]) {
      const start = client.agents.start("agt_01", { input: "hello", idempotencyKey });
      await expect(start).rejects.toMatchObject({ code: "INVALID_REQUEST" });
    }
    expect(gateway.seen).toHaveLength(1);
  });

  it.each<[string, string, (client: Yagate) => Promise<unknown>]>([
    ["a new agent", "POST /v1/agents", (client) => client.agents.create({ name: "a", model: "scripted/keyword" })],
    ["a change", "PATCH /v1/agents/agt_01", (client) => client.agents.update("agt_01", { name: "new" })],
    ["a rotation", "POST /v1/signing-secrets/rotate", (client) => client.signingSecrets.rotate()],
    ["a new key", "POST /v1/api-keys", (client) => client.apiKeys.create({ name: "ci", scopes: ["agents"] })],
    [
      "a new integration",
      "POST /v1/integrations",
      (client) => client.integrations.create({ name: "shop", allowedDomains: ["a.example"] }),
    ],
    ["another integration", "PATCH /v1/integrations/shop", (client) => client.integrations.update("shop", {})],
    ["a new workspace", "POST /v1/workspaces", (client) => client.workspaces.create({ name: "acme" })],
    ["a change of a key", "PATCH /v1/api-keys/key_01", (client) => client.apiKeys.update("key_01", { name: "new" })],
    ["another value of a key", "POST /v1/api-keys/key_01/rotate", (client) => client.apiKeys.rotate("key_01")],
    ["an approval", "POST /v1/approvals/apr_01/approve", (client) => client.approvals.approve("apr_01")],
    ["a denial", "POST /v1/approvals/apr_01/deny", (client) => client.approvals.deny("apr_01")],
    [
      "a person's answer",
      "POST /v1/tool-calls/tc_01/input",
      (client) => client.inputRequests.answer("tc_01", { round: 1, answers: { name: { action: "decline" } } }),
    ],
    ["a new toolkit", "POST /v1/toolkits", (client) => client.toolkits.create({ name: "shop", provider: "shop" })],
    ["a test of a tool", "POST /v1/tools/tool_01/test", (client) => client.tools.test("tool_01", { parameters: {} })],
    [
      "a new source",
      "POST /v1/tool-sources",
      (client) => client.sources.create({ name: "orders", kind: "handler", url: "https://orders.example/tools" }),
    ],
    ["a sync", "POST /v1/tool-sources/src_01/sync", (client) => client.sources.sync("src_01")],
    ["a sign-in", "POST /v1/tool-sources/src_01/login", (client) => client.sources.login("src_01")],
    [
      "an installation",
      "POST /v1/tool-templates/github/install",
      (client) => client.toolTemplates.install("github", { credential: "GITHUB_TOKEN" }),
    ],
  ])("is repeated only after a refusal when it is %s, which would happen twice", async (_name, route, call) => {
    const broken = await startScriptedGateway({ [route]: hangUp });
    await expect(call(clientOf(broken))).rejects.toMatchObject({ code: "CONNECTION_FAILED" });
    expect(broken.seen).toHaveLength(1);

    const behindProxy = await startScriptedGateway({ [route]: noContent(502) });
    await expect(call(clientOf(behindProxy))).rejects.toMatchObject({ code: "UNAVAILABLE" });
    expect(behindProxy.seen).toHaveLength(1);

    const busy = await startScriptedGateway({ [route]: unavailable });
    await expect(call(clientOf(busy))).rejects.toMatchObject({ code: "UNAVAILABLE" });
    expect(busy.seen).toHaveLength(3);
  });

  it("has deleted what is gone when it is sent again", async () => {
    const gateway = await startScriptedGateway({ [`DELETE ${PATH}`]: [hangUp, problem(404, "NOT_FOUND")] });
    await expect(clientOf(gateway).agents.delete("agt_01")).resolves.toBeUndefined();

    const empty = await startScriptedGateway({});
    await expect(clientOf(empty).agents.delete("agt_01")).rejects.toMatchObject({ code: "NOT_FOUND" });
  });

  it("ends when its time is over, and says which time", async () => {
    const runtime = manualRuntime();
    const stayAway: Responder = () => {
      runtime.expire(1_234);
    };
    const gateway = await startScriptedGateway({ [`GET ${PATH}`]: [stayAway, agent] });
    const once = clientOf(gateway, { timeoutMs: 1_234, maxRetries: 0 }, runtime);

    await expect(once.agents.get("agt_01")).rejects.toMatchObject({
      code: "CONNECTION_FAILED",
      message: `no response within 1234 ms from ${gateway.url}`,
    });
  });

  it("is repeated after its time was over", async () => {
    const runtime = manualRuntime();
    const stayAway: Responder = () => {
      runtime.expire(60_000);
    };
    const gateway = await startScriptedGateway({ [`GET ${PATH}`]: [stayAway, agent] });

    await expect(clientOf(gateway, {}, runtime).agents.get("agt_01")).resolves.toMatchObject({ id: "agt_01" });
  });

  it("ends with the signal's reason, and is not repeated", async () => {
    const controller = new AbortController();
    const reason = new Error("the user left");
    const gateway = await startScriptedGateway({ [`GET ${PATH}`]: () => controller.abort(reason) });
    const get = clientOf(gateway).agents.get("agt_01", { signal: controller.signal });

    await expect(get).rejects.toBe(reason);
    expect(gateway.seen).toHaveLength(1);
  });

  it("ends with the signal's reason where fetch rejects with an error of its own", async () => {
    const controller = new AbortController();
    const reason = new Error("the user left");
    const fetch: FetchLike = (_url, { signal }) =>
      new Promise((_resolve, reject) => {
        signal?.addEventListener("abort", () => reject(new DOMException("aborted", "AbortError")));
        controller.abort(reason);
      });
    const client = new Yagate({ baseUrl: "http://127.0.0.1:1", apiKey: "yk_x", fetch, maxRetries: 0 }, manualRuntime());

    await expect(client.agents.get("agt_01", { signal: controller.signal })).rejects.toBe(reason);
  });

  it("does not leave at all under a signal that was aborted before", async () => {
    const gateway = await startScriptedGateway({ [`GET ${PATH}`]: agent });
    const reason = new Error("the user left");
    const get = clientOf(gateway).agents.get("agt_01", { signal: AbortSignal.abort(reason) });

    await expect(get).rejects.toBe(reason);
    expect(gateway.seen).toHaveLength(0);
  });
});
