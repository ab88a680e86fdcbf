import { connect } from "node:net";
import { YagateError } from "@yagate/protocol";
import { describe, expect, it, onTestFinished } from "vitest";
import { createLogger } from "../../../telemetry/src/logger.ts";
import type { RouteRequest, RouteResponse } from "../../src/http/route.ts";
import { problemOf } from "./support/agents.ts";
import { type App, startApp } from "./support/app.ts";

type Handle = (request: RouteRequest<unknown, unknown>) => Promise<RouteResponse>;

/** An app of which one route does something else, and what the app logs. */
async function startWith(handle: Handle): Promise<{ app: App; lines: () => readonly Record<string, unknown>[] }> {
  const text: string[] = [];
  const logger = createLogger("debug", { write: (line) => text.push(line) });
  const app = await startApp({
    app: ({ routes }) => ({
      routes: routes.map((route) => (route.name === "getExecution" ? { ...route, handle } : route)),
      logger,
    }),
  });
  onTestFinished(() => app.stop());
  return { app, lines: () => text.map((line) => JSON.parse(line)) };
}

const params = { id: "one" };
const call = (app: App) => app.call("getExecution", { params });
const open = (app: App) => app.open("getExecution", { params });

describe("a defect", () => {
  it.each<[string, unknown, object]>([
    ["an error", new TypeError("planted secret text"), { type: "TypeError", message: "planted secret text" }],
    [
      "something that is no error",
      "planted secret text",
      { type: "string", message: "a value that is not an Error was thrown" },
    ],
  ])("is answered without its text, and the log has it: %s", async (_what, defect, logged) => {
    const { app, lines } = await startWith(async () => {
      throw defect;
    });
    const answer = await call(app);
    expect(answer.body).toEqual({
      type: "urn:yagate:error:INTERNAL",
      title: "Internal",
      status: 500,
      detail: "the gateway failed; its log has the details",
      code: "INTERNAL",
      requestId: answer.headers.get("x-request-id"),
      hint: "this is a bug in Yagate; report it with the request id",
    });
    const [line] = lines().filter(({ msg }) => msg === "failed");
    expect(line).toMatchObject({
      level: 50,
      requestId: problemOf(answer).requestId,
      path: "/v1/executions/one",
      error: logged,
    });
  });

  it("of another server is logged with its reason and without a stack", async () => {
    const { app, lines } = await startWith(async () => {
      throw new YagateError("SOURCE_UNREACHABLE", "the handler responded with HTTP 500", { cause: new Error("inner") });
    });
    // The route does not document this status.
    expect((await open(app)).status).toBe(502);
    const [line] = lines().filter(({ msg }) => msg === "failed");
    expect(line).toMatchObject({
      level: 40,
      code: "SOURCE_UNREACHABLE",
      reason: "the handler responded with HTTP 500",
    });
    expect(line).not.toHaveProperty("error");
  });

  it("that shows once the answer has begun breaks the connection", async () => {
    const { app, lines } = await startWith(async ({ response }) => {
      response.writeHead(200, { "content-type": "text/plain" });
      response.write("half of");
      throw new Error("planted");
    });
    await expect(open(app).then((response) => response.text())).rejects.toThrow();
    expect(lines().filter(({ level }) => level === 50)).toHaveLength(1);
  });

  it("does not stop the next request", async () => {
    const { app } = await startWith(async () => {
      throw new Error("planted");
    });
    await call(app);
    expect((await app.call("listAgents")).status).toBe(200);
  });
});

it("an answer that is no JSON value is a defect, not an empty answer", async () => {
  const { app } = await startWith(async () => ({ status: 200, body: { big: 1n } }));
  expect(problemOf(await call(app))).toMatchObject({ status: 500, code: "INTERNAL" });
});

it("an error of our own is answered with its text, its hint and its status", async () => {
  const { app, lines } = await startWith(async () => {
    throw new YagateError("UNAVAILABLE", "the journal is full", {
      hint: "make room",
      cause: new Error("ENOSPC planted"),
    });
  });
  expect(problemOf(await call(app))).toMatchObject({
    status: 503,
    code: "UNAVAILABLE",
    title: "Unavailable",
    detail: "the journal is full",
    hint: "make room",
  });
  expect(lines().at(-1)).toMatchObject({ error: { code: "UNAVAILABLE", cause: { message: "ENOSPC planted" } } });
});

it("every answer has a request id of its own, the same in header, body and log", async () => {
  const { app, lines } = await startWith(async () => ({ status: 200, body: {} }));
  const problems = [await app.call("getAgent"), await app.call("listAgents", { key: null })];
  const answers = [await open(app), ...problems];
  const ids = answers.map(({ headers }) => headers.get("x-request-id"));
  expect(new Set(ids).size).toBe(3);
  expect(problems.map((answer) => problemOf(answer).requestId)).toEqual(ids.slice(1));
  expect(lines().map(({ requestId }) => requestId)).toEqual(expect.arrayContaining(ids));
});

describe("the log", () => {
  it("tells of each request what it was, what came of it and how long it took", async () => {
    const { app, lines } = await startWith(async () => ({ status: 200, body: {} }));
    await open(app);
    await app.call("listAgents", { key: null });
    expect(lines().filter(({ level }) => level === 30)).toMatchObject([
      { msg: "served", method: "GET", route: "/v1/executions/:id", status: 200, id: "one", ms: expect.any(Number) },
      { msg: "refused", method: "GET", route: "/v1/agents", path: "/v1/agents", status: 401, code: "UNAUTHENTICATED" },
    ]);
  });

  it("tells a request without a route from one with it", async () => {
    const { app, lines } = await startWith(async () => ({ status: 200, body: {} }));
    await fetch(`${app.url}/v2/agents`);
    const line = lines().at(-1);
    expect(line).toMatchObject({ msg: "refused", path: "/v2/agents", status: 404, code: "NOT_FOUND" });
    expect(line).not.toHaveProperty("route");
  });

  it("has one line without a stack for a probe that fails, at debug while the gateway is being stopped", async () => {
    const { app, lines } = await startWith(async () => ({ status: 200 }));
    await app.composed.store.close();
    await app.call("getReadiness", { key: null });
    app.composed.drain();
    await app.call("getReadiness", { key: null });
    const probes = lines().filter(({ route }) => route === "/readyz");
    expect(probes).toMatchObject([
      { level: 40, msg: "not ready", status: 503, code: "UNAVAILABLE", reasons: { journal: expect.any(String) } },
      { level: 20, msg: "not ready", status: 503, reasons: { draining: expect.any(String) } },
    ]);
    expect(JSON.stringify(probes)).not.toContain("stack");
  });

  it("keeps probes out unless it tells everything", async () => {
    const { app, lines } = await startWith(async () => ({ status: 200 }));
    await app.call("getHealth");
    await app.call("getReadiness");
    expect(lines().filter(({ level }) => Number(level) >= 30)).toEqual([]);
  });
});

it("a client that goes while it sends is no failure", async () => {
  const { app, lines } = await startWith(async () => ({ status: 200 }));
  const socket = connect(Number(new URL(app.url).port), "127.0.0.1");
  const head = ["POST /v1/agents HTTP/1.1", "Host: localhost", `Authorization: Bearer ${app.key}`];
  socket.write([...head, "Content-Type: application/json", "Content-Length: 100", "", "{"].join("\r\n"));
  socket.once("error", () => {});
  while (socket.bytesWritten < 100) await new Promise((resolve) => setImmediate(resolve));
  await app.call("listAgents");
  socket.destroy();
  while (!lines().some(({ msg }) => msg === "the client disconnected")) {
    await new Promise((resolve) => setImmediate(resolve));
  }
  expect(lines().filter(({ level }) => Number(level) > 30)).toEqual([]);
});

describe("health", () => {
  it("is well while the journal takes writes", async () => {
    const { app } = await startWith(async () => ({ status: 200 }));
    for (const name of ["getHealth", "getReadiness"]) {
      expect(await app.call(name, { key: null })).toMatchObject({ status: 200, body: { status: "ok" } });
    }
  });

  it("says that it is not ready when the journal refuses, and that the process still answers", async () => {
    const { app } = await startWith(async () => ({ status: 200 }));
    await app.composed.store.close();
    expect(problemOf(await app.call("getReadiness", { key: null }))).toMatchObject({
      status: 503,
      code: "UNAVAILABLE",
    });
    expect((await app.call("getHealth", { key: null })).status).toBe(200);
    expect(problemOf(await app.call("listAgents"))).toMatchObject({ status: 503, code: "UNAVAILABLE" });
    expect(problemOf(await app.call("createAgent", { body: { name: "a", model: "scripted/turns" } }))).toMatchObject({
      status: 503,
    });
  });
});
