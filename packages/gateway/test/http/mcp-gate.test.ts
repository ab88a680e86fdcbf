import { once } from "node:events";
import { request } from "node:http";
import { text } from "node:stream/consumers";
import { executionSchema } from "@yagate/protocol";
import { afterAll, describe, expect, it } from "vitest";
import { execute, makeAgent, saying } from "./support/agents.ts";
import { readBody } from "./support/api-caller.ts";
import { startWorld } from "./support/world.ts";

const PAGE = "https://page.example";
const LIMIT = 5;
const MAX_BATCH = 20;
const world = await startWorld({
  corsOrigins: [PAGE],
  publicUrl: "https://yagate.example",
  plans: { standard: { requestsPerSecond: null }, tight: { requestsPerSecond: LIMIT } },
});
afterAll(() => world.stop());

const PING = { jsonrpc: "2.0", id: 1, method: "ping" };

interface Message {
  readonly key?: string | null;
  readonly method?: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

async function send({ key = world.key, method = "POST", body = PING, headers = {} }: Message = {}) {
  const response = await fetch(`${world.url}/mcp`, {
    method,
    headers: {
      accept: "application/json, text/event-stream",
      "content-type": "application/json",
      ...(key === null ? {} : { authorization: `Bearer ${key}` }),
      ...headers,
    },
    ...(method === "POST" ? { body: typeof body === "string" ? body : JSON.stringify(body) } : {}),
  });
  return { status: response.status, headers: response.headers, body: await readBody(response) };
}

async function tokenOfAnExecution(): Promise<string> {
  const agent = await makeAgent(world);
  const { id } = executionSchema.parse(await execute(world, agent.id, saying("done")));
  const { body } = await world.call("createExecutionToken", { params: { id }, body: {} });
  return String(new Map(Object.entries(Object(body))).get("token"));
}

describe("the gate", () => {
  it("lets a key with the scope executions in", async () => {
    const { text: key } = await world.makeKey(["executions"]);
    expect(await send({ key })).toMatchObject({ status: 200, body: expect.stringContaining('"result":{}') });
  });

  it.each<[string, () => Promise<Message>, number, string]>([
    ["no key", async () => ({ key: null }), 401, "UNAUTHENTICATED"],
    ["an unknown key", async () => ({ key: "yk_unknown" }), 401, "UNAUTHENTICATED"],
    ["a key without the scope", async () => ({ key: (await world.makeKey(["agents"])).text }), 403, "FORBIDDEN"],
    ["the token of an execution", async () => ({ key: await tokenOfAnExecution() }), 403, "FORBIDDEN"],
    ["the page of another origin", async () => ({ headers: { origin: "https://other.example" } }), 403, "FORBIDDEN"],
    ["an opaque origin", async () => ({ headers: { origin: "null" } }), 403, "FORBIDDEN"],
    ["GET", async () => ({ method: "GET" }), 405, "METHOD_NOT_ALLOWED"],
    ["DELETE", async () => ({ method: "DELETE" }), 405, "METHOD_NOT_ALLOWED"],
    ["no JSON", async () => ({ body: "{" }), 400, "MALFORMED_JSON"],
    [
      "a body that is too large",
      async () => ({ body: { ...PING, pad: "x".repeat(4_194_304) } }),
      413,
      "BODY_TOO_LARGE",
    ],
    ["an empty batch", async () => ({ body: [] }), 422, "INVALID_REQUEST"],
    [
      "a batch that is too long",
      async () => ({ body: Array.from({ length: 21 }, () => PING) }),
      422,
      "INVALID_REQUEST",
    ],
  ])("refuses %s", async (_what, message, status, code) => {
    expect(await send(await message())).toMatchObject({ status, body: { code } });
  });

  it("refuses a name of another host that resolves to the gateway", async () => {
    const headers = { authorization: `Bearer ${world.key}`, host: "attacker.example" };
    const sent = request(`${world.url}/mcp`, { method: "POST", headers }).end("{}");
    const [response] = await once(sent, "response");
    expect(JSON.parse(await text(response))).toMatchObject({ status: 403, code: "FORBIDDEN" });
  });

  it.each([
    ["an origin that may use the API", PAGE],
    ["the gateway's own origin", "https://yagate.example"],
  ])("accepts %s", async (_what, origin) => {
    expect((await send({ headers: { origin } })).status).toBe(200);
  });

  it("lets pages of an allowed origin send the protocol's headers", async () => {
    const headers = {
      origin: PAGE,
      "access-control-request-method": "POST",
      "access-control-request-headers": "mcp-protocol-version",
    };
    const preflight = await send({ key: null, method: "OPTIONS", headers });
    expect(preflight.status).toBe(204);
    expect(preflight.headers.get("access-control-allow-headers")).toContain("MCP-Protocol-Version");
    expect(preflight.headers.get("access-control-allow-origin")).toBe(PAGE);
  });

  it("opens no stream for a subscription", async () => {
    const body = { jsonrpc: "2.0", id: 7, method: "subscriptions/listen", params: {} };
    expect(await send({ body })).toMatchObject({ status: 404, body: { id: 7, error: { code: -32601 } } });
  });

  it("counts each message of a batch as a request", async () => {
    const { workspaceId, key } = await world.makeWorkspace("tight");
    await world.call("updateWorkspace", { params: { id: workspaceId }, body: { plan: "tight" } });
    const batch = Array.from({ length: MAX_BATCH }, (_, index) => ({ ...PING, id: index }));
    // As requests, they would all be within the limit; as messages, they would take 20 seconds of it.
    const statuses = await Promise.all(
      Array.from({ length: LIMIT }, async () => (await send({ key, body: batch })).status),
    );
    expect(statuses).toContain(429);
  });
});
