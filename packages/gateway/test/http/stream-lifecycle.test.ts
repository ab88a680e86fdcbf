import { once } from "node:events";
import { createServer } from "node:http";
import { connect, type Socket } from "node:net";
import type { ExecutionEvent } from "@yagate/protocol";
import type { EventStore } from "@yagate/store/port";
import { describe, expect, it, onTestFinished } from "vitest";
import { encodeEvent } from "../../src/executions/streams/event-cache.ts";
import { writeEventStream } from "../../src/http/responses/event-stream.ts";
import { executionRoutes } from "../../src/http/routes/executions.ts";
import { calling, execute, makeAgent, start } from "./support/agents.ts";
import { type App, type Exchange, startApp } from "./support/app.ts";
import { EventReader } from "./support/event-reader.ts";
import { startHandler, workTool } from "./support/handler.ts";

async function startTestApp(exchange: Exchange = {}): Promise<App> {
  const app = await startApp(exchange);
  onTestFinished(() => app.stop());
  return app;
}

/** An execution whose tool call is under way until the handler is released. */
async function startHeld(app: App) {
  const handler = await startHandler({ isHeld: true });
  const agent = await makeAgent(app, { tools: [workTool(handler.url)] });
  const { id } = await start(app, agent.id, calling("work"));
  await handler.called(1);
  return { handler, id };
}

/** Counts who listens to a journal. */
function countListeners(eventStore: EventStore): { readonly count: number; changed(): Promise<void> } {
  const subscribe = eventStore.subscribe.bind(eventStore);
  let count = 0;
  let wake = () => {};
  eventStore.subscribe = (executionId, listener) => {
    const unsubscribe = subscribe(executionId, listener);
    count += 1;
    return () => {
      unsubscribe();
      count -= 1;
      wake();
    };
  };
  return {
    get count() {
      return count;
    },
    changed: () =>
      new Promise((resolve) => {
        wake = resolve;
      }),
  };
}

/** Sends a request and never reads what comes back. */
async function sendWithoutReading(app: App, method: string, path: string, rest: readonly string[]): Promise<Socket> {
  const socket = connect(Number(new URL(app.url).port), "127.0.0.1");
  await once(socket, "connect");
  socket.pause();
  const head = [`${method} ${path} HTTP/1.1`, "Host: localhost", `Authorization: Bearer ${app.key}`];
  socket.write([...head, ...rest].join("\r\n"));
  onTestFinished(() => {
    socket.destroy();
  });
  return socket;
}

describe("a silent stream", () => {
  it("says that it is alive", async () => {
    const app = await startTestApp({
      app: ({ routes, executions, store }) => ({
        routes: routes.map((route) => {
          const [fast] = executionRoutes({
            executions,
            agents: store.agents,
            isPriced: () => true,
            recordings: { refusalOf: async () => undefined },
            heartbeatMs: 20,
          }).filter(({ name }) => name === "followExecution");
          return route.name === "followExecution" && fast !== undefined ? fast : route;
        }),
      }),
    });
    const { handler, id } = await startHeld(app);
    const reader = new EventReader(await app.open("followExecution", { params: { id } }));
    await reader.until("attempt.started");
    const rest = reader.all();
    while (reader.comments.length < 3) await new Promise((resolve) => setImmediate(resolve));
    handler.release();
    await rest;
    expect(new Set(reader.comments)).toEqual(new Set([": still here"]));
  });
});

describe("a client that goes", () => {
  it.each<[string, Record<string, string>]>([
    ["streams", { accept: "text/event-stream" }],
    ["waits", { prefer: "wait=60" }],
  ])("while it %s leaves nothing behind", async (_what, headers) => {
    const app = await startTestApp();
    const listeners = countListeners(app.composed.store.eventStore);
    const handler = await startHandler({ isHeld: true });
    const agent = await makeAgent(app, { tools: [workTool(handler.url)] });
    const gone = new AbortController();
    const key = { "idempotency-key": "one" };
    const call = {
      params: { id: agent.id },
      body: calling("work"),
      headers: { ...headers, ...key },
      signal: gone.signal,
    };
    const answers = [app.open("executeAgent", call), app.open("executeAgent", call)];
    for (const answer of answers) answer.catch(() => {});
    await handler.called(1);
    // The execution's own run listens too.
    while (listeners.count < 3) await new Promise((resolve) => setImmediate(resolve));
    gone.abort();
    while (listeners.count > 1) await listeners.changed();
    handler.release();
    while (listeners.count > 0) await listeners.changed();
    expect(handler.calls).toHaveLength(1);
  });

  it("leaves the execution running", async () => {
    const app = await startTestApp();
    const { handler, id } = await startHeld(app);
    const reader = new EventReader(await app.open("followExecution", { params: { id } }));
    await reader.next();
    await reader.leave();
    handler.release();
    const last = await new EventReader(await app.open("followExecution", { params: { id } })).until(
      "execution.completed",
    );
    expect(last.data).toMatchObject({ output: { text: "done" } });
  });
});

/** An ended execution with far more events than the buffers of a connection hold, and a client that reads none of them. */
async function executeAtLength(app: App): Promise<{ readonly id: string; readonly unread: Socket }> {
  const agent = await makeAgent(app, { tools: [{ builtin: "datetime" }], limits: { maxToolIterations: 50 } });
  const turn = { text: "t".repeat(200_000), toolCalls: [{ name: "datetime", parameters: { operation: "now" } }] };
  const script = { turns: [...Array.from({ length: 19 }, () => turn), { text: "done" }] };
  const body = JSON.stringify({ input: "hello", script });
  const unread = await sendWithoutReading(app, "POST", `/v1/agents/${agent.id}/executions`, [
    "Accept: text/event-stream",
    "Content-Type: application/json",
    "Idempotency-Key: slow",
    `Content-Length: ${body.length}`,
    "",
    body,
  ]);
  const ended = await execute(app, agent.id, { input: "hello", script }, { headers: { "idempotency-key": "slow" } });
  expect(ended).toMatchObject({ status: "completed", output: { text: "done" } });
  return { id: ended.id, unread };
}

describe("a client that does not read", () => {
  it("holds up neither the execution nor other readers, and misses nothing", async () => {
    const app = await startTestApp();
    const { id } = await executeAtLength(app);
    const socket = await sendWithoutReading(app, "GET", `/v1/executions/${id}/events`, ["", ""]);
    let text = "";
    socket.setEncoding("utf8").on("data", (chunk: string) => {
      text += chunk;
    });
    socket.resume();
    while (!text.includes("event: execution.completed")) await once(socket, "data");
    const numbers = [...text.matchAll(/^id: (\d+)$/gm)].map(([, number]) => Number(number));
    expect(numbers.length).toBeGreaterThan(50);
    expect(numbers).toEqual(numbers.map((_, index) => index + 1));
  });
});

describe("closing the server", () => {
  it("ends streams as a whole, so that clients go on elsewhere, and gives waiting answers", async () => {
    const app = await startTestApp({ server: { closeGraceMs: 60_000 } });
    const { handler, id } = await startHeld(app);
    const reader = new EventReader(await app.open("followExecution", { params: { id } }));
    await reader.until("attempt.started");
    const agent = await makeAgent(app, { tools: [workTool(handler.url)] });
    const waiting = start(app, agent.id, calling("work"), { headers: { prefer: "wait=60" } });
    await handler.called(2);
    const startedAt = performance.now();
    const [rest, answer] = await Promise.all([reader.all(), waiting, app.close()]);
    expect(performance.now() - startedAt).toBeLessThan(5_000);
    expect(rest).toEqual([]);
    expect(answer).toMatchObject({ status: "running" });
  });

  it("cuts off a client that does not read once the grace is over", async () => {
    const app = await startTestApp({ server: { closeGraceMs: 50 } });
    const { unread } = await executeAtLength(app);
    const startedAt = performance.now();
    await app.close();
    expect(performance.now() - startedAt).toBeGreaterThanOrEqual(49);
    let received = "";
    unread.on("error", () => {});
    unread.setEncoding("utf8").on("data", (chunk: string) => {
      received += chunk;
    });
    unread.resume();
    await once(unread, "close");
    expect(received).toContain("event: execution.started");
    expect(received).not.toContain("event: execution.completed");
  });
});

it("a stream that is ended while it catches up writes nothing more of it", async () => {
  const ending = new AbortController();
  const event = (seq: number): ExecutionEvent => ({
    type: "execution.cancel_requested",
    seq,
    executionId: "exec_01m7yj864ke00brb1mkxjenfhm",
    at: "2026-11-21T06:00:00.000Z",
  });
  async function* earlier() {
    yield encodeEvent(event(1));
    ending.abort();
    yield encodeEvent(event(2));
  }
  const server = createServer((_request, response) => {
    void writeEventStream(response, earlier(), { signal: ending.signal, heartbeatMs: 60_000 });
  }).listen(0, "127.0.0.1");
  onTestFinished(() => {
    server.close();
  });
  await once(server, "listening");
  const address = server.address();
  const port = typeof address === "object" ? address?.port : 0;
  const messages = await new EventReader(await fetch(`http://127.0.0.1:${port}/`)).all();
  expect(messages.map(({ id }) => id)).toEqual(["1"]);
});
