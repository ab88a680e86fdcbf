import { setTimeout as pass } from "node:timers/promises";
import { generateSigningSecret, YagateError } from "@yagate/protocol";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { type DatabaseProxy, startDatabaseProxy } from "../../packages/store/test/support/database-proxy.ts";
import { execute, terminateConnections } from "../../packages/store/test/support/execute.ts";
import { limitFileSize } from "../../packages/store/test/support/limit-file-size.ts";
import { hasPostgres, type PostgresServer, startPostgres } from "../services/postgres.ts";
import { followToEnd } from "./applicant.ts";
import { callHistories } from "./call-history.ts";
import { startCountingService } from "./counting-service.ts";
import { GatewayProcess } from "./gateway-process.ts";
import { startProbe } from "./probe.ts";
import { isChaos, scaled } from "./scale.ts";
import { storedEventsOf } from "./stored-events.ts";
import { printTally, tallyOf, UNHARMED } from "./tally.ts";
import { TOOLS } from "./tools.ts";
import { brokenCallRules, brokenExecutionRules } from "./verdict.ts";

const EXECUTIONS = scaled({ tests: 15, chaos: 60 });
const OUTAGE_MS = scaled({ tests: 1_500, chaos: 6_000 });
const LIMIT_MS = scaled({ tests: 120_000, chaos: 240_000 });
const ROUNDS = scaled({ tests: 5, chaos: 30 });

interface Struck {
  readonly server: PostgresServer;
  readonly databaseUrl: string;
  readonly proxy: DatabaseProxy;
}

/** Something that befalls the database, or the way to it. */
interface Outage {
  readonly strike: (struck: Struck) => Promise<void>;
  readonly recover: (struck: Struck) => Promise<void>;
  /** What the gateway answers between the two. */
  readonly answers: "nothing but 503" | "503 to new events" | "anything true";
}

const nothing = async () => {};

/** Does it again and again, a tenth of a second apart. */
async function repeat(times: number, act: () => unknown): Promise<void> {
  for (let time = 0; time < times; time += 1) {
    await act();
    await pass(100);
  }
}

/** Some of these can't be had in a second. */
const LONG_OUTAGES: readonly (readonly [name: string, outage: Outage])[] = [
  [
    "is connected to over a way that is cut on the gateway's side again and again",
    { strike: ({ proxy }) => repeat(ROUNDS, proxy.cutClients), recover: nothing, answers: "anything true" },
  ],
  [
    "is connected to over a way that ends in one direction again and again",
    { strike: ({ proxy }) => repeat(ROUNDS, proxy.halfClose), recover: nothing, answers: "anything true" },
  ],
  [
    "has done what it was asked, and whose answers get lost",
    {
      strike: async ({ proxy }) => proxy.loseAnswers(),
      recover: async ({ proxy }) => proxy.pass(),
      answers: "anything true",
    },
  ],
  [
    "is connected to over a way on which nothing arrives any more, and no connection ends",
    {
      strike: async ({ proxy }) => proxy.fallSilent(),
      recover: async ({ proxy }) => proxy.pass(),
      answers: "anything true",
    },
  ],
];

const OUTAGES: readonly (readonly [name: string, outage: Outage])[] = [
  [
    "ends its connections again and again",
    {
      strike: ({ databaseUrl }) => repeat(ROUNDS, () => terminateConnections(databaseUrl)),
      recover: nothing,
      answers: "anything true",
    },
  ],
  [
    "can't be reached",
    {
      strike: async ({ proxy }) => proxy.refuse(),
      recover: async ({ proxy }) => proxy.pass(),
      answers: "nothing but 503",
    },
  ],
  [
    "is restarted in order",
    {
      strike: ({ server }) => server.shutDown("fast"),
      recover: ({ server }) => server.startAgain(),
      answers: "nothing but 503",
    },
  ],
  [
    "is restarted as after a crash",
    {
      strike: ({ server }) => server.shutDown("immediate"),
      recover: ({ server }) => server.startAgain(),
      answers: "nothing but 503",
    },
  ],
  ...(process.platform === "linux"
    ? ([
        ["has a disk that takes no more", { strike: fillDisk, recover: freeDisk, answers: "503 to new events" }],
      ] as const)
    : []),
  ...(isChaos ? LONG_OUTAGES : []),
];

describe.skipIf(!hasPostgres())("a PostgreSQL", () => {
  let server: PostgresServer;
  beforeAll(async () => {
    server = await startPostgres();
  });
  afterAll(() => server?.stop());

  it.each(OUTAGES)(
    "that %s: executions pause and go on, and nothing untrue is answered meanwhile",
    {
      timeout: LIMIT_MS,
    },
    async (name, { strike, recover, answers }) => {
      const databaseUrl = await server.createDatabase();
      const proxy = await startDatabaseProxy(databaseUrl);
      onTestFinished(() => proxy.close());
      const struck = { server, databaseUrl, proxy };
      const signingSecret = generateSigningSecret();
      const gateway = await GatewayProcess.prepare({ DATABASE_URL: proxy.url, YAGATE_SIGNING_SECRET: signingSecret });
      const service = await startCountingService({ secret: signingSecret, latencyMs: () => 20 });
      await gateway.start();
      const { client } = gateway;
      const agent = await client.agents.create({ name: "Patient", model: "scripted/turns", tools: service.tools });
      const everyTool = { toolCalls: TOOLS.map(({ name }) => ({ name, parameters: {} })) };
      const script = { turns: [everyTool, everyTool, everyTool, { text: "done" }] };
      const start = () => client.agents.start(agent.id, { input: "go", script });
      const startAndCancel = async () => {
        const { id } = await client.agents.start(agent.id, { input: "go", script: { turns: [{ text: "done" }] } });
        return client.executions.cancel(id).then(
          () => "cancelled",
          (error) => (YagateError.is(error) ? error.code : error),
        );
      };
      const ids = (await Promise.all(Array.from({ length: EXECUTIONS }, start))).map(({ id }) => id);
      const streams = Promise.all(ids.map((id) => followToEnd(gateway, id)));
      streams.catch(() => {});
      const probe = startProbe(gateway, { agentId: agent.id, executionIds: ids });

      await service.untilArrived(EXECUTIONS * 3);
      await strike(struck);
      if (answers === "nothing but 503") {
        const refused = await Promise.allSettled([
          start(),
          client.executions.get(ids[0] ?? ""),
          client.executions.list().page(),
        ]);
        const unavailable = { status: "rejected", reason: { code: "UNAVAILABLE" } };
        expect(refused).toMatchObject([unavailable, unavailable, unavailable]);
        // A good answer is given again for a moment.
        await expect.poll(async () => (await fetch(`${gateway.url}/readyz`)).status, { timeout: 5_000 }).toBe(503);
        expect((await fetch(`${gateway.url}/healthz`)).status).toBe(200);
      } else if (answers === "503 to new events") {
        await expect.poll(startAndCancel, { timeout: 30_000 }).toBe("UNAVAILABLE");
      }
      await pass(OUTAGE_MS);
      // Executions also go on, and may all end, between connections that are cut one after the other.
      const arrivedMeanwhile = answers === "anything true" ? EXECUTIONS * 3 : service.arrivals.length;
      await recover(struck);

      const streamed = await streams;
      const { untrue, acknowledged } = await probe.stop();
      const accepted = await Promise.all(acknowledged.map((id) => followToEnd(gateway, id)));
      expect(await gateway.end("SIGTERM")).toBe(0);
      const storedEvents = await storedEventsOf(databaseUrl, [...ids, ...acknowledged]);
      const calls = [...storedEvents.values()].flatMap((events) => callHistories(events, service));
      const tally = tallyOf(storedEvents, service);
      printTally(`a PostgreSQL that ${name}`, tally);
      expect(untrue).toEqual([]);
      expect(tally).toMatchObject(UNHARMED);
      expect([...storedEvents].flatMap(([id, events]) => brokenExecutionRules(id, events))).toEqual([]);
      expect(calls.flatMap((call) => brokenCallRules(call, { mayNeverLeave: true }))).toEqual([]);
      expect(calls).toHaveLength(EXECUTIONS * TOOLS.length * 3);
      expect([...streamed, ...accepted]).toEqual([...storedEvents.values()]);
      expect(service.arrivals.length).toBeGreaterThan(arrivedMeanwhile);
    },
  );
});

/** Fills a table to its last page, beyond what the server's own log needs, and forbids files to grow past that. */
async function fillDisk({ databaseUrl }: Struck): Promise<void> {
  // Four of these fill a page of the table.
  await execute(
    databaseUrl,
    "INSERT INTO appends SELECT 'filler ' || n, 1, 0, repeat('x', 1950) FROM generate_series(1, 9500) AS n",
  );
  const [size] = await execute<{ bytes: string }>(databaseUrl, "SELECT pg_relation_size('appends') AS bytes");
  await limitFileSize(databaseUrl, size?.bytes ?? "0");
}

async function freeDisk({ databaseUrl }: Struck): Promise<void> {
  await limitFileSize(databaseUrl, "unlimited");
}
