import { describe, expect, it, onTestFinished, vi } from "vitest";
import { ApiError, Yagate, YagateError } from "../../src/index.ts";
import { API_KEY, clientOf } from "../support/client-of.ts";
import { manualRuntime } from "../support/manual-runtime.ts";
import { noContent, problem, type Responder, startScriptedGateway } from "../support/scripted-gateway.ts";

async function failWith(responder: Responder): Promise<unknown> {
  const gateway = await startScriptedGateway({ "POST /v1/agents": responder });
  const client = clientOf(gateway, { maxRetries: 0 });
  return client.agents.create({ name: "orders", model: "scripted/keyword" }).catch((error: unknown) => error);
}

describe("a failed answer", () => {
  it("names every wrong field", async () => {
    const errors = [
      { path: "tools[0].handler", code: "INVALID_FORMAT", message: "invalid URL" },
      { path: "modle", code: "UNRECOGNIZED_KEYS", message: "unknown field" },
    ];
    const detail = "the body is not an agent";
    const error = await failWith(problem(422, "INVALID_REQUEST", { detail, errors, hint: "correct them" }));

    expect(error).toBeInstanceOf(ApiError);
    expect(error).toMatchObject({
      name: "ApiError",
      code: "INVALID_REQUEST",
      rawCode: "INVALID_REQUEST",
      status: 422,
      requestId: "req_1",
      hint: "correct them",
      fieldErrors: errors,
      message: "the body is not an agent (tools[0].handler: invalid URL; modle: unknown field)",
    });
  });

  it("names the quota that refused it", async () => {
    const exceeded = { quota: "agents", limit: 1_000, used: 1_000 };
    expect(await failWith(problem(429, "QUOTA_EXCEEDED", exceeded))).toMatchObject({
      code: "QUOTA_EXCEEDED",
      retryAfterMs: null,
      ...exceeded,
    });
    expect(await failWith(problem(429, "RATE_LIMITED"))).toMatchObject({ quota: null, limit: null, used: null });
  });

  it("counts the fields that do not fit into its message", async () => {
    const errors = Array.from({ length: 8 }, (_, at) => ({ path: `f${at}`, code: "x", message: "wrong" }));
    const error = await failWith(problem(422, "INVALID_REQUEST", { errors }));

    expect(error).toMatchObject({ message: expect.stringMatching(/f4: wrong; and 3 more\)$/) });
    expect(error).toHaveProperty("fieldErrors.length", 8);
  });

  it.each<[number, string]>([
    [400, "INVALID_REQUEST"],
    [401, "UNAUTHENTICATED"],
    [403, "FORBIDDEN"],
    [404, "NOT_FOUND"],
    [408, "UNAVAILABLE"],
    [409, "CONFLICT"],
    [410, "GONE"],
    [413, "BODY_TOO_LARGE"],
    [418, "INVALID_REQUEST"],
    [425, "UNAVAILABLE"],
    [429, "RATE_LIMITED"],
    [500, "INTERNAL"],
    [502, "UNAVAILABLE"],
    [503, "UNAVAILABLE"],
    [504, "UNAVAILABLE"],
  ])("gets its code from the status %i when its own is not known, and keeps that", async (status, code) => {
    const error = await failWith(problem(status, "QUOTA_OF_2030"));
    expect(error).toMatchObject({ code, rawCode: "QUOTA_OF_2030", status });
  });

  it("is understood without a problem document, and nothing of the body is in the message", async () => {
    const error = await failWith((response) => {
      response.writeHead(502, { "x-request-id": "req_proxy" }).end(`<h1>bad gateway for ${API_KEY}</h1>`);
    });
    expect(error).toMatchObject({
      code: "UNAVAILABLE",
      status: 502,
      requestId: "req_proxy",
      fieldErrors: [],
      message: "the gateway responded with 502 and gave no reason",
    });
  });

  it("has no request id when none was sent", async () => {
    expect(await failWith(noContent(401))).toMatchObject({ code: "UNAUTHENTICATED", requestId: null });
  });

  it("says how long the gateway asked to wait", async () => {
    const error = await failWith(problem(429, "RATE_LIMITED", { headers: { "retry-after": "90" } }));
    expect(error).toMatchObject({ retryAfterMs: 90_000 });
    expect(await failWith(problem(429, "RATE_LIMITED"))).toMatchObject({ retryAfterMs: null });
  });

  it("is an ApiError and a YagateError to every copy of the package; other errors are not", async () => {
    const error = await failWith(problem(404, "NOT_FOUND"));
    expect([ApiError.is(error), YagateError.is(error)]).toEqual([true, true]);
    const lost = new YagateError("CONNECTION_FAILED", "lost");
    expect([ApiError.is(lost), ApiError.is(new Error("x")), ApiError.is(null)]).toEqual([false, false, false]);
  });
});

describe("an answer that is none", () => {
  it.each([404, 405, 501])("says that no gateway is there, after %i of another server", async (status) => {
    const error = await failWith((response) => {
      response.writeHead(status, { "content-type": "application/json" }).end('{ "error": "private" }');
    });
    expect(error).toMatchObject({
      name: "YagateError",
      code: "INVALID_RESPONSE",
      message: expect.stringMatching(
        new RegExp(`^expected a gateway at http://127\\.0\\.0\\.1:\\d+, but another server responded with ${status}$`),
      ),
      hint: expect.stringContaining("check that baseUrl is the address of a Yagate gateway"),
    });
    expect(ApiError.is(error)).toBe(false);
    expect(String(error)).not.toContain("private");
  });

  it("names the paths of an unexpected form, and no value", async () => {
    const error = await failWith((response) => {
      response.writeHead(201).end(JSON.stringify({ id: "agt_01", name: 42, systemPrompt: "private" }));
    });
    expect(error).toMatchObject({ code: "INVALID_RESPONSE", message: expect.stringContaining("name") });
    expect(String(error)).not.toMatch(/private|42/);
  });

  it("names the origin that nobody answers at, and why, but not the key", async () => {
    const gateway = await startScriptedGateway({});
    const client = new Yagate(
      {
        baseUrl: `${gateway.url}/path`,
        apiKey: API_KEY,
        fetch: async () => {
          throw new TypeError("fetch failed", { cause: Object.assign(new Error("refused"), { code: "ECONNREFUSED" }) });
        },
      },
      manualRuntime(),
    );
    const error: unknown = await client.agents.get("agt_01").catch((cause: unknown) => cause);

    expect(error).toMatchObject({
      code: "CONNECTION_FAILED",
      message: `no response from ${gateway.url} (ECONNREFUSED)`,
      cause: expect.any(TypeError),
    });
    expect(String(error)).not.toContain(API_KEY);
  });

  it.each<[string, string | undefined, boolean]>([
    ["in a page of another origin", "https://app.example", true],
    ["in a page of the gateway's origin", "http://127.0.0.1:4820", false],
    ["outside of pages", undefined, false],
  ])("%s names the setting that may be missing: %s", async (_where, origin, isNamed) => {
    vi.stubGlobal("location", origin === undefined ? undefined : { origin });
    onTestFinished(() => void vi.unstubAllGlobals());
    const fetch = () => Promise.reject(new TypeError("Failed to fetch"));
    const client = new Yagate({ baseUrl: "http://127.0.0.1:4820", apiKey: API_KEY, fetch }, manualRuntime());
    const error: unknown = await client.agents.get("agt_01").catch((cause: unknown) => cause);
    expect(error).toMatchObject({ code: "CONNECTION_FAILED" });
    expect(YagateError.is(error) && error.hint.includes("YAGATE_CORS_ORIGINS")).toBe(isNamed);
  });
});
