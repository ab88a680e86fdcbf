import { once } from "node:events";
import http2 from "node:http2";
import { PassThrough } from "node:stream";
import { text } from "node:stream/consumers";
import fastify, { type FastifyInstance, type FastifyServerOptions, type RouteHandlerMethod } from "fastify";
import { afterEach, expect, it } from "vitest";
import { z } from "zod";
import { toFastify, toolHandler } from "../../src/fastify.ts";
import type { RawCall } from "../../src/index.ts";
import { callTool, describeTools, signedCall, signedCallParts } from "../../src/testing.ts";
import { SECRET } from "../support/calls.ts";
import { createGate } from "../support/gate.ts";
import { outcomeOf } from "../support/outcome.ts";
import { call, handlerOf, toolThat, typedTool } from "../support/tools.ts";
import { portOf } from "./mount-server.ts";

const apps: { close(): unknown }[] = [];

afterEach(async () => {
  for (const app of apps.splice(0)) await app.close();
});

function createApp(options: FastifyServerOptions = {}): FastifyInstance {
  const app = fastify({ ...options, forceCloseConnections: true });
  apps.push(app);
  return app;
}

async function portOfApp(app: FastifyInstance): Promise<number> {
  await app.listen({ port: 0, host: "127.0.0.1" });
  return portOf(app.server.address());
}

function overNetwork(port: number, path: string) {
  return async (request: Request): Promise<Response> =>
    fetch(`http://127.0.0.1:${port}${path}`, {
      method: "POST",
      headers: request.headers,
      body: await request.arrayBuffer(),
    });
}

it("a plugin that is mounted as a route handler says what it is", async () => {
  const app = createApp();
  const handler = handlerOf(toolThat(() => "done")).handler;
  const misplaced: unknown = toFastify(handler);
  app.post("/tools", misplaced as RouteHandlerMethod);
  const response = await overNetwork(await portOfApp(app), "/tools")(await signedCall(call()));
  expect({ status: response.status, ...Object(await response.json()) }).toMatchObject({
    status: 422,
    code: "INVALID_REQUEST",
    message:
      "this is a Fastify plugin, not a route handler: register it with app.register(toFastify(handler), { prefix })",
  });
});

it("tools have paths of their own, and other routes get their bodies parsed", async () => {
  const app = createApp();
  app.register(toolHandler({ secrets: SECRET, ...typedTool }), { prefix: "/tools/lookup-order" });
  app.register(
    toolHandler({
      secrets: SECRET,
      name: "double",
      description: "Doubles a number.",
      parameters: z.object({ value: z.number() }),
      execute: ({ value }) => value * 2,
    }),
    { prefix: "/tools/double" },
  );
  app.post("/orders", async (request) => ({ parsed: request.body }));
  const port = await portOfApp(app);
  const double = call({ name: "double", parameters: { value: 21 } });
  expect((await callTool(overNetwork(port, "/tools/double"), double)).result).toBe(42);
  expect((await callTool(overNetwork(port, "/tools/lookup-order"), call())).status).toBe(200);
  expect((await callTool(overNetwork(port, "/tools/double/"), double)).result).toBe(42);
  const manifest = await describeTools(overNetwork(port, "/tools/double"), { secret: SECRET });
  expect(manifest.tools).toMatchObject([{ name: "double" }]);
  const order = { method: "POST", headers: { "content-type": "application/json" }, body: '{"a":1}' };
  const other = await fetch(`http://127.0.0.1:${port}/orders`, order);
  expect(await other.json()).toEqual({ parsed: { a: 1 } });
});

it("the application's hooks run: what they add is in the answer, what they refuse is not called", async () => {
  let runs = 0;
  const { handler } = handlerOf(toolThat(() => (runs += 1)));
  const app = createApp();
  app.addHook("onRequest", async (request, reply) => {
    if (request.headers["x-door"] === "closed") await reply.code(403).send({ message: "closed" });
  });
  app.addHook("onSend", async (_request, reply) => {
    reply.header("x-seen", "yes");
  });
  app.register(toFastify(handler), { prefix: "/tools" });
  const url = `http://127.0.0.1:${await portOfApp(app)}/tools`;
  const { headers, body } = await signedCallParts(call());
  const answered = await fetch(url, { method: "POST", headers, body });
  expect([answered.status, answered.headers.get("x-seen"), runs]).toEqual([200, "yes", 1]);
  const refused = await fetch(url, { method: "POST", headers: { ...headers, "x-door": "closed" }, body });
  expect([refused.status, runs]).toEqual([403, 1]);
});

it("the kit's limit counts, not the application's", async () => {
  const { handler } = handlerOf(typedTool, { maxBodyBytes: 1_000 });
  const app = createApp({ bodyLimit: 10 });
  app.register(toFastify(handler), { prefix: "/tools" });
  const port = await portOfApp(app);
  expect((await callTool(overNetwork(port, "/tools"), call())).status).toBe(200);
  const large = call({ parameters: { orderId: "ORD-".padEnd(1_000, "1") } });
  expect((await callTool(overNetwork(port, "/tools"), large)).error?.code).toBe("BODY_TOO_LARGE");
});

it("is called without a network by inject", async () => {
  const { handler } = handlerOf(typedTool);
  const app = createApp();
  app.register(toFastify(handler), { prefix: "/tools" });
  const { headers, body } = await signedCallParts(call());
  const answer = await app.inject({
    method: "POST",
    url: "/tools",
    headers: { ...headers },
    payload: Buffer.from(body),
  });
  expect([answer.statusCode, answer.json()]).toEqual([200, { result: { orderId: "ORD-12345", limit: 10 } }]);
});

it("is reached over HTTP/2", async () => {
  const { handler } = handlerOf(typedTool);
  const app = fastify({ http2: true });
  apps.push(app);
  app.register(toFastify(handler), { prefix: "/tools" });
  await app.listen({ port: 0, host: "127.0.0.1" });
  const session = http2.connect(`http://127.0.0.1:${portOf(app.server.address())}`);
  const { headers, body } = await signedCallParts(call());
  const stream = session.request({ ...headers, ":method": "POST", ":path": "/tools" });
  const answered = once(stream, "response");
  stream.end(body);
  const [answer] = await answered;
  expect(answer[":status"]).toBe(200);
  expect(JSON.parse(await text(stream))).toEqual({ result: { orderId: "ORD-12345", limit: 10 } });
  session.close();
});

it("says nothing where the application has begun an answer in its place", async () => {
  const gate = createGate();
  const { handler } = handlerOf(toolThat(() => gate.opened));
  const answers: Promise<unknown>[] = [];
  const isCalled = createGate();
  const observed = Object.assign((request: Request) => handler(request), {
    answerCall: (raw: RawCall) => {
      const answer = handler.answerCall(raw);
      answers.push(answer);
      isCalled.open();
      return answer;
    },
  });
  const warnings: string[] = [];
  const app = createApp({ logger: { level: "warn", stream: { write: (line: string) => warnings.push(line) } } });
  const excuse = new PassThrough();
  app.addHook("preHandler", async (_request, reply) => {
    void isCalled.opened.then(() => reply.code(503).send(excuse));
  });
  app.register(toFastify(observed), { prefix: "/tools" });
  const { headers, body } = await signedCallParts(call());
  excuse.write("too ");
  const answer = await fetch(`http://127.0.0.1:${await portOfApp(app)}/tools`, { method: "POST", headers, body });
  gate.open();
  await Promise.all(answers);
  excuse.end("busy");
  expect([answer.status, await answer.text(), answers.length]).toEqual([503, "too busy", 1]);
  expect(warnings).toEqual([]);
});

it("a tool is not made without a secret", async () => {
  expect(await outcomeOf(() => toolHandler({ secrets: "", ...typedTool }))).toBe("SECRET_INVALID");
});
