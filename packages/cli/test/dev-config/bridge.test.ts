import { request } from "node:http";
import { text } from "node:stream/consumers";
import type { JsonObject } from "@yagate/lib/json/json-object";
import { afterAll, expect, it } from "vitest";
import { Bridge } from "../../src/gateway/stdio-servers/bridge.ts";
import { MessageRouter } from "../../src/gateway/stdio-servers/message-router.ts";

const TOKEN = "0123456789abcdef0123456789abcdef";
const CALL = { jsonrpc: "2.0", id: 1, method: "tools/call" };

const sent: JsonObject[] = [];
let onSent = (_message: JsonObject) => {};
let isRunning = true;
const router = new MessageRouter((message) => {
  if (!isRunning) return false;
  sent.push(message);
  onSent(message);
  return true;
});
const bridge = await Bridge.open({
  port: 0,
  token: TOKEN,
  find: (path) => (path === "/local/1" ? { router, restartsInMs: isRunning ? undefined : 1_500 } : undefined),
});
afterAll(() => bridge.close());

interface Sent {
  readonly method?: string;
  readonly path?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

/** Sends a request. Unlike `fetch`, this way may set any header. */
function send({ method = "POST", path = "/local/1", headers = {}, body = CALL }: Sent = {}) {
  return new Promise<{ status: number; headers: NodeJS.Dict<string | string[]>; body: string }>((resolve, reject) => {
    const url = new URL(path, bridge.urlOf("/"));
    const all = { authorization: `Bearer ${TOKEN}`, ...headers };
    const sending = request(url, { method, headers: all, agent: false }, (response) => {
      text(response).then(
        (received) => resolve({ status: response.statusCode ?? 0, headers: response.headers, body: received }),
        reject,
      );
    });
    sending.on("error", reject);
    sending.end(typeof body === "string" ? body : JSON.stringify(body));
  });
}

it.each<[string, Sent, number]>([
  ["without the token", { headers: { authorization: "" } }, 401],
  ["with another token", { headers: { authorization: `Bearer ${TOKEN}0` } }, 401],
  ["for another host", { headers: { host: "attacker.example" } }, 403],
  ["for another port", { headers: { host: "127.0.0.1:1" } }, 403],
  ["of a web page", { headers: { origin: "https://attacker.example" } }, 403],
  ["of a web page without an origin", { headers: { origin: "null" } }, 403],
  ["for a server that does not exist", { path: "/local/2" }, 404],
  ["of an unknown session", { headers: { "mcp-session-id": "other" } }, 404],
  ["for a stream of notifications", { method: "GET", body: "" }, 405],
  ["with several messages", { body: [CALL] }, 400],
  ["without JSON", { body: "{" }, 400],
])("refuses a request %s", async (_what, message, status) => {
  sent.length = 0;
  expect(await send(message)).toMatchObject({ status });
  expect(sent).toEqual([]);
});

it("responds with JSON, or with events if there is more than the response", async () => {
  onSent = ({ id }) => router.receive({ jsonrpc: "2.0", id, result: { value: "\u2028" } });
  const plain = await send();
  expect(plain).toMatchObject({ status: 200, headers: { "content-type": "application/json" } });
  expect(JSON.parse(plain.body)).toEqual({ jsonrpc: "2.0", id: 1, result: { value: "\u2028" } });
  onSent = ({ id }) => {
    const params = { progressToken: id, progress: 1 };
    // The response cannot begin before the request has been registered.
    setImmediate(() => {
      router.receive({ jsonrpc: "2.0", method: "notifications/progress", params });
      router.receive({ jsonrpc: "2.0", id, result: {} });
    });
  };
  const streamed = await send({ body: { ...CALL, params: { _meta: { progressToken: "p" } } } });
  expect(streamed).toMatchObject({ status: 200, headers: { "content-type": "text/event-stream" } });
  const events = streamed.body.trim().split("\n\n");
  expect(events.map((event) => JSON.parse(event.replace("data: ", "")))).toMatchObject([
    { params: { progressToken: "p" } },
    { id: 1, result: {} },
  ]);
});

it("begins a session with initialize, and ends it on request and with the server", async () => {
  onSent = ({ id }) => setImmediate(() => router.receive({ jsonrpc: "2.0", id, result: {} }));
  const begin = async () => String((await send({ body: { ...CALL, method: "initialize" } })).headers["mcp-session-id"]);
  const [first, second] = [await begin(), await begin()];
  const inSession = (id: string, message: Sent = {}) => send({ ...message, headers: { "mcp-session-id": id } });
  expect(await inSession(first)).toMatchObject({ status: 200 });
  expect(await inSession(first, { method: "DELETE", body: "" })).toMatchObject({ status: 204 });
  expect(await inSession(first)).toMatchObject({ status: 404 });
  bridge.forgetSessions(router);
  expect(await inSession(second)).toMatchObject({ status: 404 });
});

it("says that the server has ended, and when it starts again", async () => {
  onSent = () => setImmediate(() => router.reset("ended with status 1"));
  expect(await send()).toMatchObject({ status: 502, body: "the process ended with status 1 before it responded\n" });
  isRunning = false;
  expect(await send()).toMatchObject({ status: 503, headers: { "retry-after": "2" } });
  isRunning = true;
});
