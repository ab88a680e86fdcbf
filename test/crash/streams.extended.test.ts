import { type StreamEvent, Yagate } from "@yagate/client";
import { generateSigningSecret } from "@yagate/protocol";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startRawService, toolAt } from "../e2e/support/services.ts";
import { hearTextMessages } from "../e2e/support/text-messages.ts";
import { startWritingModel } from "../e2e/support/writing-model.ts";
import { hasPostgres, type PostgresServer, startPostgres } from "../services/postgres.ts";
import { GatewayProcess } from "./gateway-process.ts";

describe.skipIf(!hasPostgres())("a stream over replicas that die", () => {
  let server: PostgresServer;
  beforeAll(async () => {
    server = await startPostgres();
  });
  afterAll(() => server?.stop());

  async function openReplicas() {
    const databaseUrl = await server.createDatabase();
    const model = await startWritingModel();
    const environment = {
      DATABASE_URL: databaseUrl,
      YAGATE_SIGNING_SECRET: generateSigningSecret(),
      OPENAI_API_KEY: "sk-test",
      OPENAI_BASE_URL: model.url,
    };
    const prepare = () => GatewayProcess.prepare(environment);
    const replicas = [await prepare(), await prepare(), await prepare()] as const;
    await Promise.all(replicas.map((replica) => replica.start()));
    const messages = await hearTextMessages(databaseUrl);
    const released = Promise.withResolvers<void>();
    const service = await startRawService(async (response) => {
      await released.promise;
      response.json({ result: "shipped" });
    });
    const { agents } = replicas[0].client;
    const { id } = await agents.create({
      name: "Writer",
      model: "openai/writer",
      tools: [toolAt(service.url, { timeout: 60_000 })],
    });
    const start = async (replica: GatewayProcess) => (await replica.client.agents.start(id, { input: "go" })).id;
    return { model, replicas, messages, start, release: () => released.resolve() };
  }

  /** What a stream brings; `until` resolves with the first event for which it is true. */
  function read(stream: AsyncIterable<StreamEvent>) {
    const events: StreamEvent[] = [];
    let waiting: (() => void)[] = [];
    const ended = (async () => {
      for await (const event of stream) {
        events.push(event);
        for (const wake of waiting.splice(0)) wake();
      }
    })();
    ended.catch(() => {});
    return {
      events,
      ended,
      async until(isTrue: () => boolean): Promise<void> {
        while (!isTrue()) {
          await new Promise<void>((resolve) => {
            waiting = [...waiting, resolve];
          });
        }
      },
    };
  }

  /** The text since the last request of the model. */
  function textOf(events: readonly StreamEvent[]): string {
    const begun = events.findLastIndex(({ type }) => type === "model.requested");
    return events.slice(begun).reduce((text, event) => (event.type === "text.delta" ? text + event.text : text), "");
  }

  it("goes on by another one, brings a text once, and says when it is void", { timeout: 90_000 }, async () => {
    const { model, replicas, messages, start, release } = await openReplicas();
    const [owner, killed, other] = replicas;
    const id = await start(owner);
    // What a load balancer does.
    let target = killed;
    const balanced = new Yagate({
      baseUrl: killed.url,
      apiKey: killed.apiKey,
      fetch: (url, init) => fetch(String(url).replace(killed.url, target.url), init),
    });
    const { events, ended, until } = read(balanced.executions.events(id));
    await messages.interestIn(id);
    release();
    const lost = await model.turn(0);
    lost.write("Hello, ");
    await until(() => textOf(events) === "Hello, ");

    target = other;
    await killed.kill();
    lost.write("wor");
    await until(() => textOf(events) === "Hello, wor");
    lost.write("ld");
    await until(() => textOf(events) === "Hello, world");
    expect(events.map(({ type }) => type)).not.toContain("model.failed");

    await owner.kill();
    const repeated = await model.turn(1);
    repeated.write("Other words.");
    await until(() => textOf(events) === "Other words.");
    repeated.end();
    await ended;
    const types = events.map(({ type }) => type).filter((type, index, all) => type !== all[index - 1]);
    expect(types.slice(types.indexOf("text.delta"))).toEqual([
      "text.delta",
      "model.failed",
      "model.requested",
      "text.delta",
      "model.responded",
      "execution.completed",
    ]);
    expect(events.at(-1)).toMatchObject({ output: { text: "Other words." } });
    const numbers = events.flatMap((event) => (event.type === "text.delta" ? [] : [event.seq]));
    expect(numbers).toEqual(numbers.map((_, index) => index + 1));
  });
});
