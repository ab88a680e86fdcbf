import { setTimeout as pass } from "node:timers/promises";
import { type ExecutionEvent, generateSigningSecret, YagateError } from "@yagate/protocol";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { startDatabaseProxy } from "../../packages/gateway/test/journal/support/database-proxy.ts";
import { terminateConnections } from "../../packages/gateway/test/journal/support/execute.ts";
import { hasPostgres, type PostgresServer, startPostgres } from "../services/postgres.ts";
import { callHistories } from "./call-history.ts";
import { startCountingService } from "./counting-service.ts";
import { GatewayProcess } from "./gateway-process.ts";
import { journalOf } from "./journal-of.ts";
import { TOOLS } from "./tools.ts";
import { brokenCallRules, brokenExecutionRules } from "./verdict.ts";

const EXECUTIONS = 30;
const OUTAGE_MS = 2_000;

/** Follows an execution to its end, whatever the gateway answers meanwhile, and gives every numbered event once. */
async function followThrough({ client }: GatewayProcess, executionId: string): Promise<readonly ExecutionEvent[]> {
  const events: ExecutionEvent[] = [];
  for (;;) {
    try {
      const stream = client.executions.events(executionId, { lastEventId: events.length });
      for await (const event of stream) if (event.type !== "text.delta") events.push(event);
      return events;
    } catch (error) {
      if (!YagateError.is(error) || error.code !== "UNAVAILABLE") throw error;
      await pass(100);
    }
  }
}

describe.skipIf(!hasPostgres())("a gateway whose PostgreSQL goes away", () => {
  let server: PostgresServer;
  beforeAll(async () => {
    server = await startPostgres();
  });
  afterAll(() => server?.stop());

  it("pauses its executions and goes on with them, and answers 503 meanwhile", { timeout: 60_000 }, async () => {
    const databaseUrl = await server.createDatabase();
    const proxy = await startDatabaseProxy(databaseUrl);
    onTestFinished(() => proxy.close());
    const signingSecret = generateSigningSecret();
    const gateway = await GatewayProcess.prepare({ DATABASE_URL: proxy.url, YAGATE_SIGNING_SECRET: signingSecret });
    const service = await startCountingService({ secret: signingSecret, latencyMs: () => 20 });
    await gateway.start();
    const { client } = gateway;
    const agent = await client.agents.create({ name: "Patient", model: "scripted/turns", tools: service.tools });
    const everyTool = { toolCalls: TOOLS.map(({ name }) => ({ name, parameters: {} })) };
    const script = { turns: [everyTool, everyTool, everyTool, { text: "done" }] };
    const start = () => client.agents.start(agent.id, { input: "go", script });
    const ids = (await Promise.all(Array.from({ length: EXECUTIONS }, start))).map(({ id }) => id);
    const streams = Promise.all(ids.map((id) => followThrough(gateway, id)));

    await service.untilArrived(EXECUTIONS);
    await terminateConnections(databaseUrl);
    await service.untilArrived(EXECUTIONS * 3);
    proxy.refuse();
    const refused = await Promise.allSettled([
      start(),
      client.executions.get(ids[0] ?? ""),
      fetch(`${gateway.url}/readyz`),
    ]);
    expect(refused).toMatchObject([
      { status: "rejected", reason: { code: "UNAVAILABLE" } },
      { status: "rejected", reason: { code: "UNAVAILABLE" } },
      { status: "fulfilled", value: { status: 503 } },
    ]);
    await pass(OUTAGE_MS);
    const arrivedMeanwhile = service.arrivals.length;
    proxy.pass();

    const streamed = await streams;
    expect(await gateway.end("SIGTERM")).toBe(0);
    const journal = await journalOf(databaseUrl, ids);
    const calls = [...journal.values()].flatMap((events) => callHistories(events, service));
    expect([...journal].flatMap(([id, events]) => brokenExecutionRules(id, events))).toEqual([]);
    expect(calls.flatMap((call) => brokenCallRules(call, { mayNeverLeave: true }))).toEqual([]);
    expect(calls).toHaveLength(EXECUTIONS * TOOLS.length * 3);
    expect(streamed).toEqual([...journal.values()]);
    expect(service.arrivals.length).toBeGreaterThan(arrivedMeanwhile);
  });
});
