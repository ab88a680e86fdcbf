import { setTimeout as pass } from "node:timers/promises";
import { type Execution, type ExecutionEvent, generateSigningSecret } from "@yagate/protocol";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { LEASE_MS } from "../../packages/gateway/src/scheduler/lease.ts";
import { hasPostgres, type PostgresServer, startPostgres } from "../services/postgres.ts";
import { followToEnd, startUntilAccepted } from "./applicant.ts";
import { callHistories, wasInterrupted } from "./call-history.ts";
import { type CountingService, startCountingService } from "./counting-service.ts";
import { GatewayProcess } from "./gateway-process.ts";
import { journalOf } from "./journal-of.ts";
import { TOOLS } from "./tools.ts";
import { brokenCallRules, brokenExecutionRules } from "./verdict.ts";

const EXECUTIONS_EACH = 8;
/** A replica that died has its executions go on elsewhere within this time. */
const TAKEOVER_MS = 15_000;

/** The same request to any replica, with the same idempotency key. */
async function startOnce(replica: GatewayProcess, agentId: string, body: object, prefer: string): Promise<Execution> {
  const answer = await fetch(`${replica.url}/v1/agents/${agentId}/executions`, {
    method: "POST",
    headers: {
      authorization: `Bearer ${replica.apiKey}`,
      "content-type": "application/json",
      "idempotency-key": "once",
      prefer,
    },
    body: JSON.stringify(body),
  });
  return (await answer.json()) as Execution;
}

describe.skipIf(!hasPostgres())("three replicas on one PostgreSQL", () => {
  let server: PostgresServer;
  beforeAll(async () => {
    server = await startPostgres();
  });
  afterAll(() => server?.stop());

  interface World {
    readonly databaseUrl: string;
    readonly replicas: readonly [GatewayProcess, GatewayProcess, GatewayProcess];
    readonly service: CountingService;
    readonly agentId: string;
  }

  async function openWorld(latencyMs: number): Promise<World> {
    const databaseUrl = await server.createDatabase();
    const signingSecret = generateSigningSecret();
    const prepare = () => GatewayProcess.prepare({ DATABASE_URL: databaseUrl, YAGATE_SIGNING_SECRET: signingSecret });
    const replicas = [await prepare(), await prepare(), await prepare()] as const;
    // At once, on an empty database: one migrates it and makes the workspace, the others find both.
    await Promise.all(replicas.map((replica) => replica.start()));
    const service = await startCountingService({ secret: signingSecret, latencyMs: () => latencyMs });
    const { agents } = replicas[0].client;
    const { id } = await agents.create({ name: "Shared", model: "scripted/turns", tools: service.tools });
    return { databaseUrl, replicas, service, agentId: id };
  }

  it("show, wait for, answer and cancel on each what was started on another", { timeout: 40_000 }, async () => {
    const { replicas, service, agentId } = await openWorld(3_000);
    const [first, second, third] = replicas;
    const script = { turns: [{ toolCalls: [{ name: "read", parameters: {} }] }, { text: "done" }] };

    const started = await first.client.agents.start(agentId, { input: "go", script });
    const streaming = followToEnd(second, started.id);
    const other = await third.client.agents.start(agentId, { input: "go", script });
    await service.untilArrived(2);
    await third.client.executions.cancel(started.id);
    const events = await streaming;
    expect(events.map(({ type }) => type)).toContain("execution.cancel_requested");
    expect(events.at(-1)?.type).toBe("execution.cancelled");
    // Its owner was told while the call was still on its way.
    expect(events.map(({ type }) => type)).not.toContain("tool_call.completed");

    expect((await followToEnd(first, other.id)).at(-1)?.type).toBe("execution.completed");
    for (const { client } of replicas) {
      expect(await client.executions.get(started.id)).toMatchObject({ status: "cancelled" });
      expect(await client.executions.get(other.id)).toMatchObject({ status: "completed", output: { text: "done" } });
    }

    const here = await startOnce(first, agentId, { input: "go", script }, "respond-async");
    const there = await startOnce(second, agentId, { input: "go", script }, "wait=30");
    expect(there).toMatchObject({ id: here.id, status: "completed" });

    const dead = await second.client.agents.create({
      name: "Dead",
      model: "scripted/turns",
      tools: [{ name: "dead", description: "Dead.", parameters: { type: "object" }, handler: "http://127.0.0.1:1/" }],
    });
    const calling = { turns: [{ toolCalls: [{ name: "dead", parameters: {} }] }, { text: "done" }] };
    const held = await first.client.agents.start(dead.id, { input: "go", script: calling, fallbackWaitMs: 20_000 });
    const answering = third.client.executions.events(held.id, { onToolError: () => ({ result: "from another" }) });
    const types: string[] = [];
    for await (const { type } of answering) types.push(type);
    expect(types).toContain("fallback.received");
    expect(types.at(-1)).toBe("execution.completed");
  });

  it("go on with what a killed and a frozen one left, and send nothing twice", { timeout: 60_000 }, async () => {
    const { databaseUrl, replicas, service, agentId } = await openWorld(40);
    const [killed, frozen, survivor] = replicas;
    const everyTool = { toolCalls: TOOLS.map(({ name }) => ({ name, parameters: {} })) };
    const script = { turns: [everyTool, everyTool, everyTool, { text: "done" }] };
    const starts = replicas.flatMap((replica) =>
      Array.from({ length: EXECUTIONS_EACH }, () => startUntilAccepted(replica, agentId, script)),
    );
    const ids = (await Promise.all(starts)).map(({ id }) => id);
    await service.untilArrived((ids.length * TOOLS.length) / 2);
    frozen.signal("SIGSTOP");
    await killed.kill();
    const stoppedAt = performance.now();
    const streams = ids.map((id) => followToEnd(survivor, id));
    await Promise.all(streams);
    expect(performance.now() - stoppedAt).toBeLessThan(TAKEOVER_MS);
    await pass(Math.max(0, stoppedAt + LEASE_MS + 1_000 - performance.now()));
    const arrivedBefore = service.arrivals.length;
    frozen.signal("SIGCONT");
    // It takes part again: what is started on it ends.
    const { id } = await startUntilAccepted(frozen, agentId, { turns: [{ text: "thawed" }] });
    expect((await followToEnd(survivor, id)).at(-1)?.type).toBe("execution.completed");
    expect(await frozen.end("SIGTERM")).toBe(0);
    expect(await survivor.end("SIGTERM")).toBe(0);

    const journal = await journalOf(databaseUrl, ids);
    const calls = [...journal.values()].flatMap((events) => callHistories(events, service));
    const interrupted = calls.filter(wasInterrupted).length;
    const counts = { toolCalls: calls.length, arrivals: arrivedBefore, interrupted };
    process.stdout.write(`\n${JSON.stringify(counts)}\n`);
    expect([...journal].flatMap(([executionId, events]) => brokenExecutionRules(executionId, events))).toEqual([]);
    expect(calls.flatMap((call) => brokenCallRules(call, { mayNeverLeave: true }))).toEqual([]);
    expect(service.arrivals).toHaveLength(arrivedBefore);
    expect(
      new Map(await Promise.all(streams.map(async (stream, index) => [ids[index], await stream] as const))),
    ).toEqual(new Map<string | undefined, readonly ExecutionEvent[]>(journal));
    expect(interrupted).toBeGreaterThan(0);
    for (const { output } of replicas) expect(output).not.toMatch(/"level":50/);
  });
});
