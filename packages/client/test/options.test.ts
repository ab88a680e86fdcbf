import { inspect } from "node:util";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { Yagate, YagateError, type YagateOptions } from "../src/index.ts";
import { agentRecord } from "./support/records.ts";
import { json, startScriptedGateway } from "./support/scripted-gateway.ts";

const options = { baseUrl: "http://127.0.0.1:4820", apiKey: "yk_secret" };

function errorOf(make: () => unknown): YagateError {
  try {
    make();
  } catch (error) {
    if (YagateError.is(error)) return error;
  }
  throw new Error("expected a YagateError");
}

describe("new Yagate", () => {
  beforeEach(() => {
    vi.stubEnv("YAGATE_API_KEY", "");
    vi.stubEnv("YAGATE_BASE_URL", "");
  });
  afterEach(() => {
    vi.unstubAllEnvs();
  });

  it.each<[string, YagateOptions, string, RegExp]>([
    ["no address", { apiKey: "yk_secret" }, "NOT_CONFIGURED", /YAGATE_BASE_URL/],
    ["no key", { baseUrl: options.baseUrl }, "NOT_CONFIGURED", /YAGATE_API_KEY/],
    ["an address that is no URL", { ...options, baseUrl: "localhost" }, "INVALID_REQUEST", /baseUrl/],
    ["an address of another scheme", { ...options, baseUrl: "ftp://127.0.0.1" }, "INVALID_REQUEST", /baseUrl/],
    ["an address with a password", { ...options, baseUrl: "http://me:yk_secret@host" }, "INVALID_REQUEST", /baseUrl/],
    ["an address with a query", { ...options, baseUrl: "http://host?key=yk_secret" }, "INVALID_REQUEST", /baseUrl/],
    ["a key with a line's end", { ...options, apiKey: "yk_secret\n" }, "INVALID_REQUEST", /apiKey/],
    ["an empty key", { ...options, apiKey: "" }, "INVALID_REQUEST", /apiKey/],
    ["half a retry", { ...options, maxRetries: 0.5 }, "INVALID_REQUEST", /maxRetries/],
    ["too many retries", { ...options, maxRetries: 11 }, "INVALID_REQUEST", /maxRetries/],
    ["no time", { ...options, timeoutMs: 0 }, "INVALID_REQUEST", /timeoutMs/],
    ["a header's name with a space", { ...options, headers: { "x y": "1" } }, "INVALID_REQUEST", /headers/],
    [
      "a header's value with a line's end",
      { ...options, headers: { x: "yk_secret\n" } },
      "INVALID_REQUEST",
      /header x/,
    ],
    ["a key that is no text", { ...options, ...JSON.parse('{ "apiKey": 5 }') }, "INVALID_REQUEST", /apiKey/],
    [
      "a misspelt option, and names those that exist",
      { ...options, ...JSON.parse('{ "baseURL": "http://127.0.0.1:4820" }') },
      "INVALID_REQUEST",
      /^new Yagate has no option baseURL; its options are baseUrl, apiKey, fetch, maxRetries, timeoutMs, headers$/,
    ],
  ])("refuses %s", (_name, given, code, message) => {
    const error = errorOf(() => new Yagate(given));
    expect(error).toMatchObject({ code, message: expect.stringMatching(message) });
    expect(error.message).not.toContain("yk_secret");
  });

  it("reads the address and the key from the environment", async () => {
    const gateway = await startScriptedGateway({ "GET /v1/agents/agt_01": json(200, agentRecord()) });
    vi.stubEnv("YAGATE_API_KEY", "yk_from_environment");
    vi.stubEnv("YAGATE_BASE_URL", gateway.url);

    await expect(new Yagate().agents.get("agt_01")).resolves.toMatchObject({ id: "agt_01" });
    expect(gateway.seen[0]?.headers.authorization).toBe("Bearer yk_from_environment");
  });

  it("keeps the path of the address", async () => {
    const gateway = await startScriptedGateway({ "GET /yagate/v1/agents/agt_01": json(200, agentRecord()) });
    const client = new Yagate({ ...options, baseUrl: `${gateway.url}/yagate/` });

    await expect(client.agents.get("agt_01")).resolves.toMatchObject({ id: "agt_01" });
  });

  it("sends the headers that it was given, but for its own", async () => {
    const gateway = await startScriptedGateway({ "GET /v1/agents/agt_01": json(200, agentRecord()) });
    const headers = { "x-team": "orders", authorization: "Basic none", accept: "text/html" };
    await new Yagate({ ...options, baseUrl: gateway.url, headers }).agents.get("agt_01");

    expect(gateway.seen[0]?.headers).toMatchObject({
      "x-team": "orders",
      authorization: "Bearer yk_secret",
      accept: "application/json",
    });
  });

  it("uses the fetch that it was given", async () => {
    const urls: string[] = [];
    const client = new Yagate({
      ...options,
      fetch: async (url) => {
        urls.push(url);
        return Response.json(agentRecord());
      },
    });
    await client.agents.get("agt_01");

    expect(urls).toEqual(["http://127.0.0.1:4820/v1/agents/agt_01"]);
  });

  it("shows its key to no log", () => {
    expect(inspect(new Yagate(options), { depth: 10, showHidden: true })).not.toContain("yk_secret");
  });
});
