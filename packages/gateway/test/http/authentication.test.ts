import { scopeSchema } from "@yagate/protocol";
import { afterAll, describe, expect, it } from "vitest";
import { problemOf } from "./support/agents.ts";
import { startWorld } from "./support/world.ts";

const world = await startWorld();
afterAll(() => world.stop());

// Its stream has no end, so a call of it would wait for ever; the tests of the stream check its key.
const ENDLESS = "followChanges";
const closed = world.operations.filter(({ name, scopes }) => scopes !== null && name !== ENDLESS);
const open = world.operations.filter(({ scopes }) => scopes === null);

it("only the operations routes and public keys are open; a callback asks for a token of its own", () => {
  expect(open.map(({ path }) => path).sort()).toEqual([
    "/.well-known/jwks/{workspaceId}.json",
    "/healthz",
    "/openapi.json",
    "/readyz",
    "/v1/callbacks/{id}",
  ]);
});

describe.each(closed.map(({ name, scopes }) => [name, scopes ?? []] as const))("%s", (name, scopes) => {
  it("asks for a key", async () => {
    const answer = await world.call(name, { key: null });
    expect(problemOf(answer)).toMatchObject({ status: 401, code: "UNAUTHENTICATED" });
    expect(answer.headers.get("www-authenticate")).toBe('Bearer realm="yagate"');
  });

  it("refuses an unknown key", async () => {
    const answer = await world.call(name, { key: `yk_${"a".repeat(43)}` });
    expect(problemOf(answer)).toMatchObject({ status: 401, detail: "expected a valid API key" });
    expect(answer.headers.get("www-authenticate")).toBe('Bearer realm="yagate"');
  });

  it("refuses a key with every scope but its own, and names what is missing", async () => {
    const others = scopeSchema.options.filter((scope) => !scopes.includes(scope));
    const answer = await world.call(name, { key: (await world.makeKey(others)).text });
    expect(problemOf(answer)).toMatchObject({
      status: 403,
      code: "FORBIDDEN",
      detail: `expected a key with the scope ${scopes.join(" or ")}`,
    });
  });

  it.each(scopes)("lets a key with only the scope %s in", async (scope) => {
    const key = (await world.makeKey([scopeSchema.parse(scope)])).text;
    const { status } = await world.call(name, { key });
    expect([401, 403]).not.toContain(status);
  });

  it("refuses a key from the moment it is deleted", async () => {
    const { id, text } = await world.makeKey(scopeSchema.options);
    expect((await world.call(name, { key: text })).status).not.toBe(401);
    expect((await world.call("deleteApiKey", { params: { id } })).status).toBe(204);
    expect((await world.call(name, { key: text })).status).toBe(401);
  });

  it("judges the key before it looks at the request", async () => {
    const answer = await world.call(name, { key: null, body: "{", query: { limit: "0" } }).catch(() => undefined);
    // GET and HEAD can't carry a body with this client.
    if (answer !== undefined) expect(answer.status).toBe(401);
    else expect(world.operation(name).method).toBe("get");
  });
});

describe("the header Authorization", () => {
  it.each<[string, (key: string) => string]>([
    ["another scheme", (key) => `Basic ${key}`],
    ["no scheme", (key) => key],
    ["an empty key", () => "Bearer "],
    ["two keys", (key) => `Bearer ${key} ${key}`],
    ["a key in quotes", (key) => `Bearer "${key}"`],
    ["a key that goes on", (key) => `Bearer ${key}x`],
    ["a key that is cut", (key) => `Bearer ${key.slice(0, -1)}`],
    ["a key in upper case", (key) => `Bearer ${key.toUpperCase()}`],
  ])("refuses %s", async (_what, header) => {
    const answer = await world.call("listAgents", { key: null, headers: { authorization: header(world.key) } });
    expect(answer.status).toBe(401);
  });

  it.each(["Bearer", "bearer", "BEARER", "Bearer  "])("takes the scheme as %j", async (scheme) => {
    const headers = { authorization: `${scheme} ${world.key}` };
    expect((await world.call("listAgents", { key: null, headers })).status).toBe(200);
  });

  it("takes a key nowhere else", async () => {
    for (const url of [`/v1/agents?api_key=${world.key}`, `/v1/agents?access_token=${world.key}`]) {
      const response = await fetch(world.url + url, {
        headers: { "x-api-key": world.key, cookie: `key=${world.key}` },
      });
      expect(response.status).toBe(401);
    }
  });
});

it("no answer holds the key that it was asked with", async () => {
  for (const { name } of world.operations) {
    const { body } = await world.call(name, { key: `yk_planted_${name}` });
    expect(JSON.stringify(body ?? "")).not.toContain("planted");
  }
});
