import { setTimeout as pass } from "node:timers/promises";
import { generateSigningSecret } from "@yagate/protocol";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { LEASE_MS } from "../../packages/gateway/src/scheduler/lease.ts";
import { hasPostgres, type PostgresServer, startPostgres } from "../services/postgres.ts";
import { followToEnd, startUntilAccepted } from "./applicant.ts";
import { callHistories, wasInterrupted } from "./call-history.ts";
import { startCountingService } from "./counting-service.ts";
import { GatewayProcess } from "./gateway-process.ts";
import { storedEventsOf } from "./stored-events.ts";
import { printTally, tallyOf, UNHARMED } from "./tally.ts";
import { TOOLS } from "./tools.ts";
import { brokenCallRules, brokenExecutionRules } from "./verdict.ts";

const EXECUTIONS = 6;
const HELD_REQUESTS = EXECUTIONS * TOOLS.length;

describe.skipIf(!hasPostgres())("a replica that is frozen right before it sends", () => {
  let server: PostgresServer;
  beforeAll(async () => {
    server = await startPostgres();
  });
  afterAll(() => server?.stop());

  it("sends none of the requests when it thaws after others took over, its lease renewed", {
    timeout: 180_000,
  }, async () => {
    const databaseUrl = await server.createDatabase();
    const signingSecret = generateSigningSecret();
    const prepare = () => GatewayProcess.prepare({ DATABASE_URL: databaseUrl, YAGATE_SIGNING_SECRET: signingSecret });
    const [frozen, survivor] = [await prepare(), await prepare()];
    await frozen.startToFreeze({ heldRequests: HELD_REQUESTS });
    await survivor.start();
    const service = await startCountingService({ secret: signingSecret, latencyMs: () => 5 });
    const { agents } = survivor.client;
    const agent = await agents.create({ name: "Frozen", model: "scripted/turns", tools: service.tools });
    const everyTool = { toolCalls: TOOLS.map(({ name }) => ({ name, parameters: {} })) };
    const script = { turns: [everyTool, { text: "done" }] };

    // The last of them may be answered after the thaw only.
    const starts = Array.from({ length: EXECUTIONS }, () => startUntilAccepted(frozen, agent.id, script));
    await expect.poll(async () => (await frozen.deaths()).length, { timeout: 60_000 }).toBe(1);
    expect(service.arrivals).toEqual([]);
    await pass(LEASE_MS);
    const taken = await survivor.client.executions.list().toArray();
    expect(taken).toHaveLength(EXECUTIONS);
    const ids = taken.map(({ id }) => id);
    await Promise.all(ids.map((id) => followToEnd(survivor, id)));
    const arrivedBefore = service.arrivals.length;
    expect(arrivedBefore).toBeGreaterThan(0);

    frozen.signal("SIGCONT");
    await Promise.all(starts);
    // It takes part again, so its lease was renewed and whatever was held has gone on.
    const { id } = await startUntilAccepted(frozen, agent.id, script);
    expect((await followToEnd(frozen, id)).at(-1)?.type).toBe("execution.completed");
    expect(await frozen.end("SIGTERM")).toBe(0);
    expect(await survivor.end("SIGTERM")).toBe(0);

    const [freeze] = await frozen.deaths();
    const held = new Set(freeze?.attempts.map(({ toolCallId, number }) => `${toolCallId} ${number}`));
    expect(held.size).toBe(HELD_REQUESTS);
    const sentAfterAll = service.arrivals.filter(({ toolCallId, attempt }) => held.has(`${toolCallId} ${attempt}`));
    expect(sentAfterAll).toEqual([]);

    const storedEvents = await storedEventsOf(databaseUrl, [...ids, id]);
    const calls = [...storedEvents.values()].flatMap((events) => callHistories(events, service));
    const tally = tallyOf(storedEvents, service);
    printTally("a frozen replica with requests that were about to leave", tally);
    expect(tally).toMatchObject({ ...UNHARMED, executions: EXECUTIONS + 1 });
    expect([...storedEvents].flatMap(([executionId, events]) => brokenExecutionRules(executionId, events))).toEqual([]);
    expect(calls.flatMap((call) => brokenCallRules(call))).toEqual([]);
    expect(calls.filter(wasInterrupted)).toHaveLength(HELD_REQUESTS);
  });
});
