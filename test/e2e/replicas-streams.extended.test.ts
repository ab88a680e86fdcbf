import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { connect } from "node:net";
import { setTimeout as pass } from "node:timers/promises";
import type { StreamEvent } from "@yagate/client";
import { Client } from "pg";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { hasPostgres, type PostgresServer, startPostgres } from "../services/postgres.ts";
import { startRawService, toolAt } from "./support/services.ts";
import { hearTextMessages } from "./support/text-messages.ts";
import { openWorld, type World } from "./support/world.ts";
import { startWritingModel } from "./support/writing-model.ts";

/** Three replicas, a model that writes what the test says, and a service that answers when it is told to. */
async function openReplicas(databaseUrl: string) {
  const model = await startWritingModel();
  const shared = {
    databaseUrl,
    masterKeys: `k1:${randomBytes(32).toString("base64")}`,
    databaseConnections: 8,
    providers: { openai: { apiKey: "sk-test", baseUrl: model.url } },
  };
  const messages = await hearTextMessages(databaseUrl);
  const first = await openWorld(shared);
  const others = { ...shared, signingSecret: first.secret };
  const replicas = [first, await openWorld(others), await openWorld(others)] as const;
  const released = Promise.withResolvers<void>();
  const service = await startRawService(async (response) => {
    await released.promise;
    response.json({ result: "shipped" });
  });
  const agent = await first.createAgent([toolAt(service.url, { timeout: 60_000 })], { model: "openai/writer" });
  return {
    model,
    messages,
    replicas,
    /** The second turn begins once this was called: by then whoever is to listen does. */
    release: () => released.resolve(),
    start: async () => (await first.client.agents.start(agent.id, { input: "Where is it?" })).id,
  };
}

/** What a reader has been told, and when. */
class Told {
  readonly events: (StreamEvent & { readonly atMs: number })[] = [];
  readonly ended: Promise<void>;
  #waiting: (() => void)[] = [];

  constructor({ client }: World, executionId: string) {
    this.ended = this.#read(client.executions.events(executionId));
    this.ended.catch(() => {});
  }

  /** The text of the present request of a model, as it is known by its pieces. */
  get text(): string {
    const begun = this.events.findLastIndex(({ type }) => type === "model.requested");
    return this.events
      .slice(begun)
      .reduce((text, event) => (event.type === "text.delta" ? text + event.text : text), "");
  }

  get types(): readonly string[] {
    return this.events.map(({ type }) => type);
  }

  get pieces(): number {
    return this.types.filter((type) => type === "text.delta").length;
  }

  async until(isTrue: (told: Told) => boolean): Promise<void> {
    while (!isTrue(this)) {
      await new Promise<void>((resolve) => {
        this.#waiting.push(resolve);
      });
    }
  }

  async #read(stream: AsyncIterable<StreamEvent>): Promise<void> {
    for await (const event of stream) {
      this.events.push({ ...event, atMs: performance.now() });
      for (const wake of this.#waiting.splice(0)) wake();
    }
  }
}

/** Ends the connections on which replicas listen. */
async function cutListeners(databaseUrl: string): Promise<number> {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  const { rowCount } = await client.query(
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
     WHERE datname = current_database() AND pid <> pg_backend_pid() AND application_name = 'yagate'
       AND (query LIKE 'LISTEN%' OR query = 'SELECT 1')`,
  );
  await client.end();
  return rowCount ?? 0;
}

describe.skipIf(!hasPostgres())("a stream of another replica's execution", { timeout: 30_000 }, () => {
  let server: PostgresServer;
  beforeAll(async () => {
    server = await startPostgres();
  });
  afterAll(() => server?.stop());
  const open = async () => openReplicas(await server.createDatabase());

  it("brings the text while it is written, in ten messages a second at most, to those alone who listen", async () => {
    const { model, messages, replicas, release, start } = await open();
    const id = await start();
    const told = new Told(replicas[1], id);
    await messages.interestIn(id);
    release();
    const turn = await model.turn(0);
    expect(turn.isStreamed).toBe(true);
    const startedAt = performance.now();
    let text = "";
    for (let word = 0; word < 100; word += 1) {
      turn.write(`word${word} `);
      text += `word${word} `;
      await pass(20);
    }
    const seconds = (performance.now() - startedAt) / 1_000;
    await told.until(() => told.text === text);
    turn.end();
    await told.ended;
    const responded = told.events.findLastIndex(({ type }) => type === "model.responded");
    expect(told.events[responded]).toMatchObject({ text });
    expect(told.types.slice(responded)).not.toContain("text.delta");
    expect(told.pieces).toBeGreaterThan(10);
    expect(told.pieces).toBeLessThanOrEqual(Math.ceil(seconds * 10) + 1);
    expect(messages.texts.length).toBeLessThanOrEqual(Math.ceil(seconds * 10) + 1);
    expect(new Set(messages.texts.map(({ channel }) => channel)).size).toBe(1);
    const first = told.events.find(({ type }) => type === "text.delta");
    expect((first?.atMs ?? 0) - startedAt).toBeLessThan(500);
  });

  it("costs no message where all who listen listen to its own replica", async () => {
    const { model, messages, replicas, release, start } = await open();
    const id = await start();
    const told = new Told(replicas[0], id);
    await told.until(({ types }) => types.includes("attempt.started"));
    release();
    const turn = await model.turn(0);
    for (let word = 0; word < 20; word += 1) {
      turn.write("word ");
      await pass(20);
    }
    turn.end();
    await told.ended;
    expect(told.pieces).toBeGreaterThan(5);
    expect(messages.texts).toEqual([]);
  });

  it("has the model asked for its whole answer where nobody listens", async () => {
    const { model, messages, release, start } = await open();
    await start();
    release();
    const turn = await model.turn(0);
    expect(turn.isStreamed).toBe(false);
    turn.end();
    expect(messages.texts).toEqual([]);
  });

  it("tells who comes in the middle what was written so far", async () => {
    const { model, messages, replicas, release, start } = await open();
    const id = await start();
    const early = new Told(replicas[1], id);
    await messages.interestIn(id);
    release();
    const turn = await model.turn(0);
    turn.write("Hello, ");
    await early.until(({ text }) => text === "Hello, ");
    const late = new Told(replicas[2], id);
    await late.until(({ text }) => text === "Hello, ");
    turn.write("world");
    for (const told of [early, late]) await told.until(({ text }) => text === "Hello, world");
    const later = new Told(replicas[2], id);
    await later.until(({ text }) => text === "Hello, world");
    turn.end();
    for (const told of [early, late, later]) {
      await told.ended;
      expect(told.events.at(-1)).toMatchObject({ type: "execution.completed", output: { text: "Hello, world" } });
    }
  });

  it("shows no wrong text and no late event although the connection for news breaks again and again", async () => {
    const databaseUrl = await server.createDatabase();
    const { model, messages, replicas, release, start } = await openReplicas(databaseUrl);
    const id = await start();
    const told = new Told(replicas[1], id);
    await messages.interestIn(id);
    release();
    const turn = await model.turn(0);
    let text = "";
    for (let word = 0; word < 60; word += 1) {
      turn.write(`word${word} `);
      text += `word${word} `;
      if (word % 20 === 10) expect(await cutListeners(databaseUrl)).toBeGreaterThanOrEqual(3);
      await pass(20);
      expect(text.startsWith(told.text)).toBe(true);
    }
    // A piece that came while nobody listened is found missing when the next one comes.
    while (told.text !== text) {
      turn.write("more ");
      text += "more ";
      await Promise.race([told.until(() => told.text === text), pass(100)]);
      expect(text.startsWith(told.text)).toBe(true);
    }
    await cutListeners(databaseUrl);
    turn.end();
    await told.ended;
    expect(told.events.at(-1)?.type).toBe("execution.completed");
  });

  it("holds nothing up when its reader does not read", async () => {
    const { replicas } = await open();
    const [here, there] = replicas;
    const agent = await here.createAgent([{ builtin: "datetime" }], { limits: { maxToolIterations: 50 } });
    const turn = { text: "t".repeat(200_000), toolCalls: [{ name: "datetime", parameters: { operation: "now" } }] };
    const script = { turns: [...Array.from({ length: 19 }, () => turn), { text: "done" }] };
    const { id } = await here.client.agents.start(agent.id, { input: "go", script });
    const socket = connect(Number(new URL(there.url).port), "127.0.0.1");
    onTestFinished(() => {
      socket.destroy();
    });
    socket.pause();
    const authorization = `Authorization: Bearer ${there.apiKey}`;
    socket.write(`GET /v1/executions/${id}/events HTTP/1.1\r\nHost: localhost\r\n${authorization}\r\n\r\n`);
    const execution = await there.client.executions.events(id).result();
    expect(execution).toMatchObject({ status: "completed", output: { text: "done" } });
    let received = "";
    socket.setEncoding("utf8").on("data", (chunk: string) => {
      received += chunk;
    });
    socket.resume();
    while (!received.includes("event: execution.completed")) await once(socket, "data");
    const numbers = [...received.matchAll(/^id: (\d+)$/gm)].map(([, number]) => Number(number));
    expect(numbers.length).toBeGreaterThan(50);
    expect(numbers).toEqual(numbers.map((_, index) => index + 1));
  });
});
