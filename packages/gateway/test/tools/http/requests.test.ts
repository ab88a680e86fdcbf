import type { JsonObject } from "@yagate/protocol";
import { decodeJwt } from "jose";
import { beforeEach, describe, expect, it } from "vitest";
import { okay, startNetworkWorld, TOKEN } from "./support/network-world.ts";

const world = await startNetworkWorld();
const { service } = world;
await world.secret("SHOP", TOKEN);
await world.secret("HEADER", "header-planted-value", { auth: { type: "header", name: "X-Api-Key" } });
await world.secret("QUERY", "query planted/value", { auth: { type: "query_param", name: "key" } });
await world.secret("TOKEN", "signing-planted-value", {
  auth: { type: "signed_token", issuer: "yagate", subject: "me" },
});
const agent = await world.agent({ credentials: ["SHOP", "HEADER", "QUERY", "TOKEN"] });
const url = service.url("/orders");

beforeEach(() => {
  service.requests.length = 0;
  service.respond = okay;
});

const last = () => {
  const request = service.requests.at(-1);
  if (request === undefined) throw new Error("expected a request");
  return request;
};

describe("a request", () => {
  it("is sent as the model composed it, and what came back is the result", async () => {
    const call = await world.one(agent, "api_call", {
      method: "PUT",
      url: `${url}/1?a=b#part`,
      credential: "SHOP",
      headers: { "X-Trace": "t1" },
      query_params: { page: 2, open: true, tag: ["x", "y&z"] },
      body: { items: [1, null] },
    });
    expect(last()).toMatchObject({
      method: "PUT",
      url: "/orders/1?a=b&page=2&open=true&tag=x&tag=y%26z",
      headers: { "x-trace": "t1", "content-type": "application/json", authorization: `Bearer ${TOKEN}` },
      body: '{"items":[1,null]}',
    });
    expect(call).toMatchObject({
      status: "completed",
      kind: "network",
      result: { status: 200, contentType: "application/json", body: { ok: true } },
      attempts: [
        { number: 1, method: "PUT", credential: "SHOP", httpStatus: 200, requestBytes: 18, responseBytes: 11 },
      ],
    });
    expect(call.via).toBeUndefined();
    expect(call.attempts[0]?.url).toBe(`${url}/1?a=b&page=2&open=true&tag=x&tag=y%26z`);
    expect(call.attempts[0]?.durationMs).toBeGreaterThan(0);
  });

  it.each<[string, JsonObject, string | undefined, string]>([
    ["an object", { body: { a: 1 } }, "application/json", '{"a":1}'],
    ["a list", { body: ["a"] }, "application/json", '["a"]'],
    ["JSON that the model wrote down", { body: '{"a": 1}' }, "application/json", '{"a": 1}'],
    ["plain text", { body: "hello" }, "text/plain; charset=utf-8", "hello"],
    [
      "a form",
      { body: { a: "1 2" }, headers: { "Content-Type": "application/x-www-form-urlencoded" } },
      "application/x-www-form-urlencoded",
      "a=1+2",
    ],
    ["no body", {}, undefined, ""],
  ])("carries %s as a body", async (_name, parameters, type, body) => {
    await world.one(agent, "http_post", { url, ...parameters });
    expect(last().body).toBe(body);
    expect(last().headers["content-type"]).toBe(type);
  });

  it.each<[string, string, (seen: ReturnType<typeof last>) => unknown, unknown]>([
    ["a bearer", "SHOP", ({ headers }) => headers.authorization, `Bearer ${TOKEN}`],
    ["a header of its own", "HEADER", ({ headers }) => headers["x-api-key"], "header-planted-value"],
    ["a parameter of the query", "QUERY", ({ url: seen }) => seen, "/orders?key=query%20planted%2Fvalue"],
  ])("carries its credential as %s", async (_name, credential, read, expected) => {
    await world.one(agent, "api_call", { method: "GET", url, credential });
    expect(read(last())).toBe(expected);
  });

  it.each([
    ["QUERY", "/orders?page=2", "/orders?page=2&key=***QUERY***"],
    ["SHOP", "/orders?page=2", "/orders?page=2"],
  ])("is on record with the URL that it went to, sent with %s", async (credential, path, recorded) => {
    const call = await world.one(agent, "api_call", { method: "GET", url: service.url(path), credential });
    expect(call.attempts).toMatchObject([{ url: service.url(recorded), credential, httpStatus: 200 }]);
    expect(await world.attemptOf(call)).toMatchObject({ url: service.url(recorded) });
  });

  it("carries its credential as a token that is signed with it", async () => {
    await world.one(agent, "api_call", { method: "GET", url, credential: "TOKEN" });
    const token = last().headers.authorization?.replace("Bearer ", "") ?? "";
    expect(decodeJwt(token)).toMatchObject({ iss: "yagate", sub: "me", exp: expect.any(Number) });
  });

  it("is refused before a query is made that no URL could hold", async () => {
    const parameters = { url, query_params: { q: Array.from({ length: 100_000 }, () => "x") } };
    const call = await world.one(agent, "http_get", parameters);
    expect(call.error).toMatchObject({
      code: "INVALID_ARGUMENTS",
      message: expect.stringContaining("8192 characters"),
    });
    expect(service.requests).toHaveLength(0);
  });

  it("goes to the host of a registered webhook, on any path", async () => {
    const hook = service.url("/another/path", "hooks.test");
    const call = await world.one(agent, "webhook", { url: hook, body: { text: "hi" } });
    expect(call).toMatchObject({ status: "completed", attempts: [{ method: "POST" }] });
    expect(last()).toMatchObject({ method: "POST", url: "/another/path", body: '{"text":"hi"}' });
  });
});

describe("an answer", () => {
  it.each<[string, Record<string, string>, Buffer | string, unknown]>([
    ["JSON", { "content-type": "application/problem+json" }, '{"a":[1]}', { a: [1] }],
    ["JSON that is none", { "content-type": "application/json" }, "{oops", "{oops"],
    ["JSON that reaches a prototype", { "content-type": "application/json" }, '{"__proto__":1}', '{"__proto__":1}'],
    ["text", { "content-type": "text/html; charset=utf-8" }, "<b>é</b>", "<b>é</b>"],
    ["text in Latin-1", { "content-type": "text/plain; charset=ISO-8859-1" }, Buffer.from([0x63, 0xe9]), "cé"],
    ["text that says nothing of itself", {}, "hello", "hello"],
    [
      "an image",
      { "content-type": "image/png" },
      Buffer.from([0x89, 0x50, 0, 0xff]),
      { bytes: 4, note: expect.any(String) },
    ],
    [
      "bytes that say that they are text",
      { "content-type": "text/plain" },
      Buffer.from([0xff, 0xfe, 0]),
      { bytes: 3, note: expect.any(String) },
    ],
    ["nothing", {}, "", null],
  ])("of %s is read as such", async (_name, headers, body, expected) => {
    service.respond = (_request, response) => response.writeHead(200, headers).end(body);
    const { result } = await world.one(agent, "http_get", { url });
    expect(result).toMatchObject({ status: 200, body: expected });
  });

  it("is cut to the plan's size", async () => {
    service.respond = (_request, response) => {
      response.writeHead(200, { "content-type": "text/plain" }).end("x".repeat(600_000));
    };
    const call = await world.one(agent, "http_get", { url });
    expect(call.result).toMatchObject({ truncated: true });
    expect(call.result).toHaveProperty("body.length", 500_000);
    expect(call.attempts[0]).toMatchObject({ responseBytes: 500_000 });
  });

  it.each([
    [400, false],
    [401, false],
    [404, false],
    [408, true],
    [425, true],
    [429, true],
    [500, true],
    [503, true],
  ])("of HTTP %i is an error that has its body", async (status, retryable) => {
    service.respond = (_request, response) => {
      response.writeHead(status, { "content-type": "application/json" }).end('{"reason":"because"}');
    };
    expect(await world.one(agent, "http_get", { url })).toMatchObject({
      status: "failed",
      error: {
        code: "HANDLER_ERROR",
        message: expect.stringContaining(String(status)),
        source: "gateway",
        retryable,
        outcome: "none",
        details: { status, body: { reason: "because" } },
      },
      attempts: [{ httpStatus: status }],
    });
  });

  it("that redirects is not followed, and says where to", async () => {
    service.respond = (_request, response) => response.writeHead(302, { location: "https://evil.test/" }).end();
    const call = await world.one(agent, "http_get", { url });
    expect(call.error).toMatchObject({
      code: "REDIRECT_REFUSED",
      details: { status: 302, location: "https://evil.test/" },
    });
    expect(call.blocked).toBeUndefined();
    expect(service.requests).toHaveLength(1);
  });

  it("that never comes ends the call in time, and nobody knows what happened", async () => {
    const hasty = await world.agent({ tools: [{ builtin: "http_post", config: { timeout: 60 } }] });
    service.respond = () => {};
    const call = await world.one(hasty, "http_post", { url });
    const message = "the tool did not respond within 60 ms";
    expect(call).toMatchObject({ error: { code: "TIMEOUT", message, outcome: "unknown" }, attempts: [{}] });
    expect(call.error?.retryable).toBe(false);
  });

  it("that the execution has less time for than the tool would take is told with the time that was left", async () => {
    const patient = await world.agent({ limits: { maxWallTimeMs: 1_000 } });
    service.respond = () => {};
    const { message = "" } = (await world.one(patient, "http_post", { url })).error ?? {};
    // The end of the execution's time and that of its last attempt are the same moment: either may be told.
    const [, summarised = "0"] = /^the tool did not respond within (\d+) ms$/.exec(message) ?? [];
    expect(message).not.toBe("");
    expect(Number(summarised)).toBeLessThanOrEqual(1_000);
  });

  it("that breaks off is a network error", async () => {
    service.respond = (_request, response) => {
      response.writeHead(200, { "content-length": "100" });
      response.write("half");
      setImmediate(() => response.destroy());
    };
    const call = await world.one(agent, "http_post", { url });
    expect(call.error).toMatchObject({ code: "NETWORK_ERROR", outcome: "unknown" });
  });
});

describe("the price of a call", () => {
  it("is paid where a credential went along, and not otherwise", async () => {
    const { execution, calls } = await world.run(agent, [
      { name: "api_call", parameters: { method: "GET", url, credential: "SHOP" } },
      { name: "http_get", parameters: { url } },
      { name: "api_call", parameters: { method: "GET", url: "https://evil.test/", credential: "SHOP" } },
    ]);
    expect(calls.map(({ cost }) => cost.credits)).toEqual([0.5, 0, 0]);
    expect(execution.cost.credits).toBe(0.5);
  });

  it("is paid for an error of the service too", async () => {
    service.respond = (_request, response) => response.writeHead(500).end();
    const call = await world.one(agent, "api_call", { method: "GET", url, credential: "SHOP" });
    expect(call).toMatchObject({ status: "failed", cost: { credits: 0.5 } });
  });
});

describe("an agent", () => {
  it("may run none of it before its policy allows the network", async () => {
    const shut = await world.agent({ policy: { network: false } });
    expect(shut.warnings).toContainEqual(expect.objectContaining({ code: "ALWAYS_DENIED" }));
    const call = await world.one(shut, "http_get", { url });
    expect(call).toMatchObject({ status: "denied", blocked: true, blockReason: "policy_denied", attempts: [] });
    expect(service.requests).toEqual([]);
  });

  it("is refused a configuration that means nothing", async () => {
    const body = {
      name: "test",
      model: "scripted/turns",
      tools: [{ builtin: "http_get", config: { timeout: 0, retries: 1 } }],
    };
    const answer = await world.call("createAgent", { body });
    expect(answer.status).toBe(422);
    expect(JSON.stringify(answer.body)).toContain("tools[0].config");
  });
});
