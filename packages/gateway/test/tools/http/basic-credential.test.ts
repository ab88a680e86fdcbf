import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import type { JsonObject } from "@yagate/protocol";
import { beforeEach, describe, expect, it } from "vitest";
import { execute, expectStatus, fieldsOf, problemOf } from "../../http/support/agents.ts";
import { okay, startNetworkWorld } from "./support/network-world.ts";

const USERNAME = "user-planted-0a1b2c";
const PASSWORD = "pass:planted-9f8e7d";
const JOINED = `${USERNAME}:${PASSWORD}`;
const base64 = (text: string) => Buffer.from(text).toString("base64");
const TOKEN = base64(JOINED);
const PLANTED = [USERNAME, PASSWORD, TOKEN];
/** What models write: scripts are kept as their callers wrote them. */
const WRITTEN = { username: "user-written-3c4d5e", password: "pass:written-6a7b8c" };
const BOTH = `${WRITTEN.username}:${WRITTEN.password}`;

const world = await startNetworkWorld();
const { service } = world;
const url = service.url("/orders");
const put = (name: string, body: object) => world.call("putSecret", { params: { name }, body });
const login = { value: { username: USERNAME, password: PASSWORD }, hosts: ["api.shop.test"] };
expectStatus(await put("LOGIN", { ...login, auth: { type: "basic" } }), 200);
expectStatus(await put("WRITTEN_LOGIN", { ...login, value: WRITTEN }), 200);
const agent = await world.agent({ credentials: ["LOGIN", "WRITTEN_LOGIN"] });
const get = { method: "GET", url, credential: "LOGIN" };

beforeEach(() => {
  service.requests.length = 0;
  service.respond = okay;
});

describe("a user name and a password", () => {
  it("go along as RFC 7617 says, and every record shows their name alone", async () => {
    const call = await world.one(agent, "api_call", get);
    expect(call).toMatchObject({ status: "completed", attempts: [{ credential: "LOGIN" }] });
    expect(service.requests.map(({ headers }) => headers.authorization)).toEqual([`Basic ${TOKEN}`]);
    const attempt = await world.attemptOf(call);
    expect(attempt.request?.headers).toMatchObject({ authorization: "Basic ***LOGIN***" });
  });

  it("are in the base64 of RFC 4648, with + and / and padding", async () => {
    const value = { username: "shop>>>", password: "???~~~ab" };
    expectStatus(await put("SYMBOLS", { ...login, value, auth: { type: "basic" } }), 200);
    const other = await world.agent({ credentials: ["SYMBOLS"] });
    expect(await world.one(other, "api_call", { ...get, credential: "SYMBOLS" })).toMatchObject({
      status: "completed",
    });
    expect(service.requests[0]?.headers.authorization).toBe(`Basic ${base64(`${value.username}:${value.password}`)}`);
    expect(service.requests[0]?.headers.authorization).toMatch(/^Basic (?=.*\+)(?=.*\/).*=$/);
  });

  it("stand as their base64 in a template", async () => {
    const composed = {
      name: "list_orders",
      description: "Lists orders",
      parameters: { type: "object", properties: {} },
      implementation: {
        primitive: "http_request",
        args: { method: "GET", url, headers: { Authorization: "Basic ${secrets.LOGIN}" } },
      },
    };
    const call = await world.one(await world.agent({ tools: [composed] }), "list_orders", {});
    expect(call.status).toBe("completed");
    expect(service.requests.map(({ headers }) => headers.authorization)).toEqual([`Basic ${TOKEN}`]);
  });

  it.each<[string, JsonObject]>([
    ["the user name", { url, body: `by ${WRITTEN.username}.` }],
    ["the password", { url, body: { note: WRITTEN.password } }],
    ["the user name as base64", { url, body: base64(`x${WRITTEN.username}`) }],
    ["the password, percent-encoded", { url: `${url}?q=${encodeURIComponent(WRITTEN.password)}` }],
    ["both, joined", { url, body: BOTH }],
    ["both as they are sent", { url, headers: { Authorization: `Basic ${base64(BOTH)}` } }],
    ["both as hex", { url, body: Buffer.from(BOTH).toString("hex") }],
  ])("are found in a request that a model composed: %s", async (_what, parameters) => {
    const call = await world.one(agent, "http_post", parameters);
    expect(call).toMatchObject({ blockReason: "credential_leak", error: { code: "CREDENTIAL_LEAK" } });
    expect(call.error?.message).toContain("WRITTEN_LOGIN");
    expect(service.requests).toEqual([]);
  });

  it("of which one is short are found together", async () => {
    const short = { username: "ops", password: "planted-5f6e7d" };
    expectStatus(await put("SHORT", { value: short, hosts: ["api.shop.test"] }), 200);
    const careful = await world.agent({ credentials: ["SHORT"] });
    for (const body of ["ops:planted-5f6e7d", base64("ops:planted-5f6e7d"), "planted-5f6e7d"]) {
      expect(await world.one(careful, "http_post", { url, body })).toMatchObject({ blockReason: "credential_leak" });
    }
    expect(await world.one(careful, "http_post", { url, body: "ops are here" })).toMatchObject({ status: "completed" });
  });

  it("are taken out of what a service echoes, each alone and both together", async () => {
    service.respond = ({ headers }, response) => {
      const [username, ...rest] = Buffer.from(String(headers.authorization).slice(6), "base64").toString().split(":");
      response.writeHead(200, { "content-type": "application/json", "x-echo": String(headers.authorization) });
      response.end(JSON.stringify({ username, password: rest.join(":"), sent: headers.authorization }));
    };
    const call = await world.one(agent, "api_call", get);
    expect(call.result).toMatchObject({
      body: {
        username: "[redacted:LOGIN]",
        password: "[redacted:LOGIN]",
        sent: expect.stringMatching(/^Basic \[redacted:LOGIN\]/),
      },
    });
    const summarised = JSON.stringify([call, await world.attemptOf(call)]);
    expect(PLANTED.filter((text) => summarised.includes(text))).toEqual([]);
  });

  it("are in no list, no audit entry and no file", async () => {
    const listed = [await world.call("listSecrets", {}), await world.call("listAuditEntries", {})];
    expect(JSON.stringify(listed)).toContain('"auth":{"type":"basic"}');
    const files = await readdir(world.dataDir, { recursive: true, withFileTypes: true });
    const contents = await Promise.all(
      files.filter((file) => file.isFile()).map((file) => readFile(join(file.parentPath, file.name))),
    );
    const all = Buffer.concat([Buffer.from(JSON.stringify(listed)), ...contents]);
    expect(PLANTED.filter((text) => all.includes(text))).toEqual([]);
  });
});

describe("setting a user name and a password", () => {
  it("makes basic the way they go along", async () => {
    expectStatus(await put("PLAIN", { value: "planted-0a1b2c", auth: { type: "bearer" } }), 200);
    expect((await put("PLAIN", login)).body).toMatchObject({ auth: { type: "basic" }, hosts: ["api.shop.test"] });
  });

  it("can be followed by one text only together with another way", async () => {
    expectStatus(await put("TURNED", login), 200);
    const refused = await put("TURNED", { value: "planted-0a1b2c" });
    expect(problemOf(refused)).toMatchObject({ status: 422, code: "INVALID_REQUEST" });
    expect(problemOf(refused).detail).toContain("TURNED is sent as basic");
    const turned = await put("TURNED", { value: "planted-0a1b2c", auth: { type: "bearer" } });
    expect(turned.body).toMatchObject({ auth: { type: "bearer" }, hosts: ["api.shop.test"] });
  });

  it.each<[string, object, string]>([
    ["one text for basic", { value: PASSWORD, auth: { type: "basic" } }, "value: expected an object with username"],
    [
      "a pair for bearer",
      { ...login, auth: { type: "bearer" } },
      "value: expected a string: only secrets of the type basic",
    ],
    ["a pair for no way", { ...login, auth: null }, "value: expected a string: only secrets of the type basic"],
    ["a pair without a password", { value: { username: USERNAME } }, "value.password: expected string"],
    [
      "two short halves",
      { value: { username: "ops", password: "planted" } },
      "value.password: expected a user name or",
    ],
    ["a colon in the user name", { value: { username: JOINED, password: "" } }, "value.username: expected a user name"],
    [
      "a line break",
      { value: { username: USERNAME, password: "planted\r\nX: y" } },
      "value.password: expected one line",
    ],
    ["a third field", { value: { ...login.value, realm: "x" } }, "value.realm: unknown field"],
  ])("refuses %s without repeating it", async (_what, body, field) => {
    const answer = await put("REFUSED", body);
    expect(problemOf(answer)).toMatchObject({ status: 422, code: "INVALID_REQUEST" });
    expect(fieldsOf(answer)).toEqual([expect.stringContaining(field)]);
    expect(JSON.stringify(answer.body)).not.toContain("planted");
  });
});

it("a model provider can't be called with a user name and a password", async () => {
  expectStatus(await put("MODEL_LOGIN", { ...login, hosts: [] }), 200);
  const provider = { apiKey: "workspace-secret://MODEL_LOGIN" };
  expectStatus(await world.call("putProvider", { params: { name: "openai" }, body: provider }), 200);
  const { id } = await world.agent({ model: "openai/gpt-5-mini", tools: [] });
  expect(await execute(world, id, { input: "go" })).toMatchObject({
    status: "failed",
    error: {
      code: "NOT_CONFIGURED",
      message: expect.stringContaining("MODEL_LOGIN contains a user name and a password"),
    },
  });
});
