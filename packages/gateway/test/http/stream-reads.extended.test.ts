import { once } from "node:events";
import { connect } from "node:net";
import { pageSchema, type ToolCallRecord, toolCallRecordSchema } from "@yagate/protocol";
import type { Store } from "@yagate/store/port";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { createMigratedDatabase } from "../../../../test/services/migrated-stores.ts";
import { hasPostgres } from "../../../../test/services/postgres.ts";
import { openConfiguredStore } from "../../src/compose/compose-store.ts";
import { calling, execute, makeAgent, saying } from "./support/agents.ts";
import { type App, startApp } from "./support/app.ts";
import { EventReader } from "./support/event-reader.ts";
import { startHandler, workTool } from "./support/handler.ts";

const READERS = 40;
const TURNS = 8;
/** Each turn of the model is a page of its own. */
const TURN_CHARACTERS = 300_000;

/** What is read for many streams is bounded also where their number is not. */
const NO_QUOTAS = { standard: { eventStreams: null, eventStreamsPerExecution: null, requestsPerSecond: null } };

interface Counted {
  readonly app: App;
  readonly counts: { pages: number; closed: number };
  /** From now on the store answers no reads of pages until the returned function is called. */
  hold(): () => void;
  /** Deletes all executions that have ended, as a replica whose retention is over. */
  deleteEnded(): Promise<void>;
}

async function startCountedApp(databaseUrl?: string): Promise<Counted> {
  const opened = Promise.withResolvers<Store>();
  const counts = { pages: 0, closed: 0 };
  let released = Promise.resolve();
  const app = await startApp({
    config: { plans: NO_QUOTAS, ...(databaseUrl === undefined ? {} : { databaseUrl }) },
    app: () => ({
      onAnswered() {
        counts.closed += 1;
      },
    }),
    async open(...task): Promise<Store> {
      const store = await openConfiguredStore(...task);
      opened.resolve(store);
      const { eventStore } = store;
      const entryPage: typeof eventStore.entryPage = async (...place) => {
        counts.pages += 1;
        await released;
        return eventStore.entryPage(...place);
      };
      return { ...store, eventStore: { ...eventStore, entryPage } };
    },
  });
  onTestFinished(() => app.stop());
  return {
    app,
    counts,
    hold() {
      const { promise, resolve } = Promise.withResolvers<void>();
      released = promise;
      return resolve;
    },
    async deleteEnded() {
      const { retention } = await opened.promise;
      const endedBefore = Number.MAX_SAFE_INTEGER;
      const { deleted } = await retention.deleteEnded({ endedBefore, afterId: "", limit: 100 });
      expect(deleted).toBeGreaterThan(0);
    },
  };
}

async function executeAtLength(app: App): Promise<string> {
  const agent = await makeAgent(app, { tools: [{ builtin: "datetime" }], limits: { maxToolIterations: 50 } });
  const turn = {
    text: "t".repeat(TURN_CHARACTERS),
    toolCalls: [{ name: "datetime", parameters: { operation: "now" } }],
  };
  const script = { turns: [...Array.from({ length: TURNS }, () => turn), { text: "done" }] };
  const ended = await execute(app, agent.id, { input: "hello", script });
  expect(ended.status).toBe("completed");
  return ended.id;
}

interface Opening {
  readonly headers?: readonly string[];
  readonly isHeadAwaited?: boolean;
}

/** Sends a request without reading the answer. @returns what drops it. */
async function openUnread(app: App, path: string, { headers = [], isHeadAwaited = false }: Opening = {}) {
  const socket = connect(Number(new URL(app.url).port), "127.0.0.1");
  await once(socket, "connect");
  socket.on("error", () => {});
  const head = ["Host: localhost", `Authorization: Bearer ${app.key}`, ...headers, "", ""].join("\r\n");
  socket.write(`GET ${path} HTTP/1.1\r\n${head}`);
  if (isHeadAwaited) await once(socket, "data");
  return () => {
    socket.destroy();
  };
}

async function firstCall(app: App, id: string): Promise<ToolCallRecord> {
  const { body } = await app.call("listToolCalls", { params: { id } });
  const [call] = pageSchema(toolCallRecordSchema).parse(body).data;
  if (call === undefined) throw new Error("expected a tool call");
  return call;
}

/** Counts the events that are serialised until the test is over. */
function countSerialised(id: string): () => number {
  const stringify = vi.spyOn(JSON, "stringify");
  onTestFinished(() => stringify.mockRestore());
  const isEvent = (value: unknown) =>
    typeof value === "object" && value !== null && "seq" in value && "executionId" in value && value.executionId === id;
  return () => stringify.mock.calls.filter(([value]) => isEvent(value)).length;
}

type MakeDatabase = () => Promise<string | undefined>;
const stores: [string, MakeDatabase][] = [["SQLite", async () => undefined]];
if (hasPostgres()) stores.push(["PostgreSQL", createMigratedDatabase]);

describe.each(stores)("streams on %s", (_name, makeDatabase) => {
  it("that are opened and dropped, or never read, are read and serialised once for all of them", async () => {
    const { app, counts } = await startCountedApp(await makeDatabase());
    const id = await executeAtLength(app);
    counts.pages = 0;
    const serialised = countSerialised(id);
    const { length } = await new EventReader(await app.open("followExecution", { params: { id } })).all();
    const pages = counts.pages;
    expect(pages).toBeGreaterThanOrEqual(TURNS);
    for (const headers of [[], ["Last-Event-ID: 0"], ["Last-Event-ID: 7"]]) {
      const drops = await Promise.all(
        Array.from({ length: READERS }, () => openUnread(app, `/v1/executions/${id}/events`, { headers })),
      );
      const events = await new EventReader(await app.open("followExecution", { params: { id } })).all();
      expect(events.map((event) => event.id)).toEqual(Array.from({ length }, (_, index) => String(index + 1)));
      for (const drop of drops) drop();
    }
    // A reader in the middle of a page may read it from there once.
    expect(counts.pages).toBeLessThanOrEqual(2 * pages);
    expect(serialised()).toBeLessThanOrEqual(2 * length);
  });

  it("whose clients have left before their turn came are not read", async () => {
    const { app, counts, hold } = await startCountedApp(await makeDatabase());
    const agent = await makeAgent(app);
    const executions = await Promise.all(Array.from({ length: READERS }, () => execute(app, agent.id, saying("done"))));
    const release = hold();
    counts.pages = 0;
    const drops = await Promise.all(
      executions.map(({ id }) => openUnread(app, `/v1/executions/${id}/events`, { isHeadAwaited: true })),
    );
    const closed = counts.closed + drops.length;
    for (const drop of drops) drop();
    while (counts.closed < closed) await new Promise((resolve) => setImmediate(resolve));
    release();
    const [{ id } = { id: "" }] = executions;
    const events = await new EventReader(await app.open("followExecution", { params: { id } })).all();
    expect(events.at(-1)?.event).toBe("execution.completed");
    // Those that had begun, and the ones of the reader that stayed.
    expect(counts.pages).toBeLessThanOrEqual(4);
  });

  it("whose execution is deleted meanwhile end", async () => {
    const { app, counts, hold, deleteEnded } = await startCountedApp(await makeDatabase());
    const id = await executeAtLength(app);
    const release = hold();
    counts.pages = 0;
    const response = await app.open("followExecution", { params: { id } });
    while (counts.pages === 0) await new Promise((resolve) => setImmediate(resolve));
    await deleteEnded();
    release();
    expect(await new EventReader(response).all()).toEqual([]);
    const { status } = await app.call("followExecution", { params: { id } });
    expect(status).toBe(404);
  });

  it.each<[string, (app: App, id: string) => Promise<string>]>([
    ["tool calls of an execution", async (_app, id) => `/v1/executions/${id}/tool-calls`],
    ["one tool call", async (app, id) => `/v1/tool-calls/${(await firstCall(app, id)).id}`],
    ["an attempt", async (app, id) => `/v1/attempts/${(await firstCall(app, id)).attempts[0]?.id}`],
  ])("requests for %s whose clients have left before their turn came are not answered", async (_what, pathOf) => {
    const { app, counts, hold } = await startCountedApp(await makeDatabase());
    const handler = await startHandler();
    const agent = await makeAgent(app, { tools: [workTool(handler.url)] });
    const { id } = await execute(app, agent.id, calling("work"));
    const path = await pathOf(app, id);
    const release = hold();
    counts.pages = 0;
    const closed = counts.closed + READERS;
    const drops = await Promise.all(Array.from({ length: READERS }, () => openUnread(app, path)));
    while (counts.pages === 0) await new Promise((resolve) => setImmediate(resolve));
    // Sent after them, so they have come in when this one is answered.
    await app.call("listAgents", {});
    for (const drop of drops) drop();
    while (counts.closed < closed) await new Promise((resolve) => setImmediate(resolve));
    release();
    const { status } = await app.call("listToolCalls", { params: { id } });
    expect(status).toBe(200);
    expect(counts.pages).toBeLessThanOrEqual(5);
  });
});
