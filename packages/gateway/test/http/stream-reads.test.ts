import { once } from "node:events";
import { connect } from "node:net";
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from "vitest";
import { hasPostgres, type PostgresServer, startPostgres } from "../../../../test/services/postgres.ts";
import type { Store } from "../../src/journal/port.ts";
import { openOwnStore } from "../../src/rooms/open-own-store.ts";
import { execute, makeAgent, saying } from "./support/agents.ts";
import { type App, startApp } from "./support/app.ts";
import { EventReader } from "./support/event-reader.ts";

const READERS = 40;
const TURNS = 8;
/** Each turn of the model is a page of its own. */
const TURN_CHARACTERS = 300_000;

interface Counted {
  readonly app: App;
  readonly counts: { pages: number; closed: number };
  /** From now on the store answers no reads of pages until the returned function is called. */
  hold(): () => void;
}

async function startCountedApp(databaseUrl?: string): Promise<Counted> {
  const counts = { pages: 0, closed: 0 };
  let released = Promise.resolve();
  const app = await startApp({
    config: databaseUrl === undefined ? {} : { databaseUrl },
    app: () => ({
      onAnswered() {
        counts.closed += 1;
      },
    }),
    async open(...task): Promise<Store> {
      const store = await openOwnStore(...task);
      const { journal } = store;
      const entryPage: typeof journal.entryPage = async (...place) => {
        counts.pages += 1;
        await released;
        return journal.entryPage(...place);
      };
      return { ...store, journal: { ...journal, entryPage } };
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

/** Opens a stream without reading its events. @returns what drops it. */
async function openStream(app: App, id: string, { headers = [], isHeadAwaited = false }: Opening = {}) {
  const socket = connect(Number(new URL(app.url).port), "127.0.0.1");
  await once(socket, "connect");
  socket.on("error", () => {});
  const head = ["Host: localhost", `Authorization: Bearer ${app.key}`, ...headers, "", ""].join("\r\n");
  socket.write(`GET /v1/executions/${id}/events HTTP/1.1\r\n${head}`);
  if (isHeadAwaited) await once(socket, "data");
  return () => {
    socket.destroy();
  };
}

/** Counts the events that are serialised until the test is over. */
function countSerialised(id: string): () => number {
  const stringify = vi.spyOn(JSON, "stringify");
  onTestFinished(() => stringify.mockRestore());
  const isEvent = (value: unknown) =>
    typeof value === "object" && value !== null && "seq" in value && "executionId" in value && value.executionId === id;
  return () => stringify.mock.calls.filter(([value]) => isEvent(value)).length;
}

const stores: [string, boolean][] = [
  ["SQLite", false],
  ...(hasPostgres() ? ([["PostgreSQL", true]] satisfies [string, boolean][]) : []),
];

describe.each(stores)("streams on %s", (_name, isPostgres) => {
  let server: PostgresServer | undefined;
  beforeAll(async () => {
    if (isPostgres) server = await startPostgres();
  });
  afterAll(() => server?.stop());

  it("that are opened and dropped, or never read, are read and serialised once for all of them", async () => {
    const { app, counts } = await startCountedApp(await server?.createDatabase());
    const id = await executeAtLength(app);
    counts.pages = 0;
    const serialised = countSerialised(id);
    const { length } = await new EventReader(await app.open("followExecution", { params: { id } })).all();
    const pages = counts.pages;
    expect(pages).toBeGreaterThanOrEqual(TURNS);
    for (const headers of [[], ["Last-Event-ID: 0"], ["Last-Event-ID: 7"]]) {
      const drops = await Promise.all(Array.from({ length: READERS }, () => openStream(app, id, { headers })));
      const events = await new EventReader(await app.open("followExecution", { params: { id } })).all();
      expect(events.map((event) => event.id)).toEqual(Array.from({ length }, (_, index) => String(index + 1)));
      for (const drop of drops) drop();
    }
    // A reader in the middle of a page may read it from there once.
    expect(counts.pages).toBeLessThanOrEqual(2 * pages);
    expect(serialised()).toBeLessThanOrEqual(2 * length);
  });

  it("whose clients have left before their turn came are not read", async () => {
    const { app, counts, hold } = await startCountedApp(await server?.createDatabase());
    const agent = await makeAgent(app);
    const executions = await Promise.all(Array.from({ length: READERS }, () => execute(app, agent.id, saying("done"))));
    const release = hold();
    counts.pages = 0;
    const drops = await Promise.all(executions.map(({ id }) => openStream(app, id, { isHeadAwaited: true })));
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
});
