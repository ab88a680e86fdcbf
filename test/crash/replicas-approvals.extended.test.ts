import { type Approval, Yagate, YagateError } from "@yagate/client";
import { type Execution, generateSigningSecret, type ReceivedEvent, type Script } from "@yagate/protocol";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { hasPostgres, type PostgresServer, startPostgres } from "../services/postgres.ts";
import { followToEnd } from "./applicant.ts";
import { callHistories, isOf, wasInterrupted } from "./call-history.ts";
import { type CountingService, startCountingService } from "./counting-service.ts";
import { GatewayProcess } from "./gateway-process.ts";
import { createSeededRandom } from "./seeded-random.ts";
import { storedEventsOf } from "./stored-events.ts";
import { TOOLS } from "./tools.ts";
import { brokenCallRules, brokenExecutionRules } from "./verdict.ts";

/** From an answer to the arrival of the call at its service. */
const GOES_ON_WITHIN_MS = 1_000;
const DELAYS = 6;
/** Executions of one test, each with a call of every tool. */
const CROWD = 16;
/** Longer than a test takes to answer all there is to answer. */
const HELD_MS = 4_000;

const calling = (...names: readonly string[]): Script["turns"][number] => ({
  toolCalls: names.map((name, index) => ({ name, parameters: { index } })),
});

describe.skipIf(!hasPostgres())("approvals on three replicas of one PostgreSQL", () => {
  let server: PostgresServer;
  beforeAll(async () => {
    server = await startPostgres();
  });
  afterAll(() => server?.stop());

  type Three<Item> = readonly [Item, Item, Item];

  interface World {
    readonly databaseUrl: string;
    readonly replicas: Three<GatewayProcess>;
    /** Whoever approves, at each of them. */
    readonly leads: Three<Yagate>;
    readonly service: CountingService;
    /** Starts an execution that asks before every call, on the first replica; resolves when it waits. */
    startAsking(turn: Script["turns"][number]): Promise<Execution>;
    /** What is asked of an execution, in the order of its calls, as a replica shows it. */
    pending(lead: Yagate, executionId: string): Promise<readonly Approval[]>;
  }

  async function openWorld(
    options: { readonly latencyMs?: () => number; readonly second?: Readonly<Record<string, string>> } = {},
  ): Promise<World> {
    const databaseUrl = await server.createDatabase();
    const signingSecret = generateSigningSecret();
    const prepare = (rest: Readonly<Record<string, string>> = {}) =>
      GatewayProcess.prepare({ DATABASE_URL: databaseUrl, YAGATE_SIGNING_SECRET: signingSecret, ...rest });
    const replicas = [await prepare(), await prepare(options.second), await prepare()] as const;
    await Promise.all(replicas.map((replica) => replica.start()));
    const [first, second, third] = replicas;
    const { key } = await first.client.apiKeys.create({ name: "lead", scopes: ["approvals"] });
    const leadAt = ({ url }: GatewayProcess) => new Yagate({ baseUrl: url, apiKey: key, maxRetries: 0 });
    const service = await startCountingService({ secret: signingSecret, latencyMs: options.latencyMs ?? (() => 0) });
    const { id: agentId } = await first.client.agents.create({
      name: "Asking",
      model: "scripted/turns",
      tools: service.tools,
      policy: { approval: "always" },
    });
    return {
      databaseUrl,
      replicas,
      leads: [leadAt(first), leadAt(second), leadAt(third)],
      service,
      async startAsking(turn) {
        const script = { turns: [turn, { text: "done" }] };
        const execution = await first.client.agents.start(agentId, { input: "go", script });
        const events = third.client.executions.events(execution.id);
        for await (const { type } of events) if (type === "execution.waiting") break;
        return execution;
      },
      async pending(lead, executionId) {
        const all = await lead.approvals.list({ status: "pending" }).toArray();
        return all.filter((approval) => approval.executionId === executionId).toReversed();
      },
    };
  }

  const typesOf = (events: readonly ReceivedEvent[]) => events.map(({ type }) => type);

  it("are shown and answered on each, whoever had asked, and the call leaves at once", {
    timeout: 60_000,
  }, async () => {
    const world = await openWorld();
    const { replicas, leads, service, startAsking, pending } = world;
    const { id } = await startAsking(calling("pay", "pay", "pay", "read"));
    const asked = await pending(leads[0], id);
    expect(asked).toHaveLength(4);
    for (const lead of leads) expect(await pending(lead, id)).toEqual(asked);
    const [plain, edited, denied, contested] = asked.map((approval) => approval.id) as [string, string, string, string];

    for (const { client } of replicas) {
      await expect(client.approvals.approve(plain)).rejects.toMatchObject({ status: 403 });
    }
    await leads[1].approvals.approve(plain);
    await service.untilArrived(1);
    const wrong = leads[2].approvals.approve(edited, { parameters: { index: 7 } });
    expect(await wrong).toMatchObject({ status: "approved", resolution: { parameters: { index: 7 } } });
    await service.untilArrived(2);
    await leads[1].approvals.deny(denied, { reason: "not this one" });
    // Two people at the same moment, at two replicas: one of them is heard.
    const both = await Promise.allSettled([leads[0].approvals.approve(contested), leads[2].approvals.deny(contested)]);
    expect(both.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
    for (const outcome of both) {
      if (outcome.status === "rejected") expect(outcome.reason).toMatchObject({ code: "CONFLICT", status: 409 });
    }

    const events = await followToEnd(replicas[1], id);
    expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index + 1));
    expect(events.at(-1)?.type).toBe("execution.completed");
    const isApproved = both[0].status === "fulfilled";
    const calls = await replicas[2].client.executions.toolCalls(id).toArray();
    expect(calls).toMatchObject([
      { status: "completed", parameters: { index: 0 } },
      { status: "completed", parameters: { index: 7 }, approval: { requestedParameters: { index: 1 } } },
      { status: "denied", error: { code: "APPROVAL_DENIED", message: expect.stringContaining("not this one") } },
      isApproved ? { status: "completed" } : { status: "denied" },
    ]);
    const attempt = await replicas[0].client.attempts.get(calls[1]?.attempts[0]?.id ?? "");
    expect(JSON.parse(attempt.request?.body ?? "")).toMatchObject({ parameters: { index: 7 } });
    expect(service.arrivals).toHaveLength(isApproved ? 3 : 2);

    const delays = await measureDelays(world);
    process.stdout.write(`\n${JSON.stringify({ delaysMs: delays.map(Math.round) })}\n`);
    expect(delays.toSorted((a, b) => a - b)[DELAYS / 2]).toBeLessThan(GOES_ON_WITHIN_MS);
    for (const { output } of replicas) expect(output).not.toMatch(/"level":50/);
  });

  /** How long calls take to leave that are approved at one replica after the other. */
  async function measureDelays({ leads, service, startAsking, pending }: World): Promise<readonly number[]> {
    const { id } = await startAsking(calling(...Array.from({ length: DELAYS }, () => "read")));
    const arrivedBefore = service.arrivals.length;
    const delays: number[] = [];
    for (const [index, approval] of (await pending(leads[0], id)).entries()) {
      await (leads[index % 3] ?? leads[0]).approvals.approve(approval.id);
      const answeredAt = performance.now();
      await service.untilArrived(arrivedBefore + index + 1);
      delays.push(performance.now() - answeredAt);
    }
    return delays;
  }

  it("that were answered on one without a free place are acted on by another", { timeout: 60_000 }, async () => {
    const second = { YAGATE_MAX_CONCURRENT_EXECUTIONS: "1" };
    const world = await openWorld({ latencyMs: firstIsHeld(), second });
    const { replicas, leads, service, startAsking, pending } = world;
    const { agents } = replicas[1].client;
    const busy = await agents.create({ name: "Busy", model: "scripted/turns", tools: service.tools });
    const script = { turns: [calling("read"), { text: "done" }] };
    const held = await agents.start(busy.id, { input: "go", script });
    await service.untilArrived(1);
    const { id } = await startAsking(calling("pay"));
    const [approval] = await pending(leads[1], id);
    await leads[1].approvals.approve(approval?.id ?? "");
    expect((await followToEnd(replicas[1], id)).at(-1)?.type).toBe("execution.completed");
    expect((await replicas[1].client.executions.get(held.id)).status).toBe("running");
    expect((await followToEnd(replicas[1], held.id)).at(-1)?.type).toBe("execution.completed");
  });

  it("outlive the replica that asked: nobody waits for its lease", { timeout: 60_000 }, async () => {
    const { replicas, leads, service, startAsking, pending } = await openWorld();
    const { id } = await startAsking(calling("pay", "pay"));
    const asked = await pending(leads[1], id);
    await replicas[0].kill();
    for (const [index, approval] of asked.entries()) {
      await (leads[index + 1] ?? leads[1]).approvals.approve(approval.id);
      const answeredAt = performance.now();
      await service.untilArrived(index + 1);
      expect(performance.now() - answeredAt).toBeLessThan(3 * GOES_ON_WITHIN_MS);
    }
    const events = await followToEnd(replicas[2], id);
    expect(typesOf(events).slice(-4)).toEqual([
      "tool_call.completed",
      "model.requested",
      "model.responded",
      "execution.completed",
    ]);
    expect(typesOf(events).filter((type) => type === "attempt.started")).toHaveLength(2);
    expect(service.arrivals).toHaveLength(2);
  });

  it("of many executions are heard once each, whatever dies meanwhile", { timeout: 90_000 }, async () => {
    const random = createSeededRandom(process.env["CRASH_SEED"]);
    process.stdout.write(`\nCRASH_SEED=${random.seed}\n`);
    const world = await openWorld({ latencyMs: () => 200 });
    const { databaseUrl, replicas, leads, service, startAsking } = world;
    const turn = calling(...TOOLS.map(({ name }) => name));
    const started = await Promise.all(Array.from({ length: CROWD }, () => startAsking(turn)));
    const asked = await leads[0].approvals.list({ status: "pending", limit: 200 }).toArray();
    expect(asked).toHaveLength(CROWD * TOOLS.length);
    const denied = new Set(asked.filter(() => random.next() < 0.25).map(({ toolCallId }) => toolCallId));
    const inAnyOrder = asked.toSorted(() => random.next() - 0.5);
    // The first is killed in the middle of it; the others stay.
    const alive = [leads[1], leads[2]].toSorted(() => random.next() - 0.5);
    const someArrived = service.untilArrived(CROWD);
    const answers = inAnyOrder.map(async ({ id, toolCallId }, index) => {
      if (index > inAnyOrder.length / 2) await someArrived;
      const all = index % 3 === 0 ? [leads[0], ...alive] : alive;
      await answerOn(all, id, !denied.has(toolCallId));
    });
    await someArrived;
    await replicas[0].kill();
    await Promise.all(answers);
    const ids = started.map(({ id }) => id);
    await Promise.all(ids.map((id) => followToEnd(replicas[1], id)));

    const storedEvents = await storedEventsOf(databaseUrl, ids);
    const calls = [...storedEvents.values()].flatMap((events) => callHistories(events, service));
    expect([...storedEvents].flatMap(([id, events]) => brokenExecutionRules(id, events))).toEqual([]);
    const [refused, allowed] = [calls.filter(({ id }) => denied.has(id)), calls.filter(({ id }) => !denied.has(id))];
    expect(refused.filter(({ arrivals }) => arrivals.length > 0)).toEqual([]);
    expect(refused.every(({ ends }) => ends.length === 1 && ends[0]?.type === "tool_call.denied")).toBe(true);
    expect(allowed.flatMap((call) => brokenCallRules(call, { mayNeverLeave: true }))).toEqual([]);
    const resolved = [...storedEvents.values()].flat().filter(isOf("approval.resolved"));
    expect(resolved.map(({ approvalId }) => approvalId).sort()).toEqual(asked.map(({ id }) => id).sort());
    const counts = { calls: calls.length, denied: refused.length, interrupted: calls.filter(wasInterrupted).length };
    process.stdout.write(`\n${JSON.stringify(counts)}\n`);
  });

  it("count although the replica that acts on the first of them dies", { timeout: 60_000 }, async () => {
    const { replicas, leads, service, startAsking, pending } = await openWorld({ latencyMs: firstIsHeld() });
    const [killed, ...others] = replicas;
    const { id } = await startAsking(calling("pay", "read"));
    const [pay, read] = await pending(leads[0], id);
    // So that no other can take it up.
    for (const replica of others) replica.signal("SIGSTOP");
    await leads[0].approvals.approve(pay?.id ?? "");
    await service.untilArrived(1);
    await killed.kill();
    for (const replica of others) replica.signal("SIGCONT");
    await leads[2].approvals.approve(read?.id ?? "");
    expect((await followToEnd(replicas[2], id)).at(-1)?.type).toBe("execution.completed");
    // The payment may have happened: no approval lets it be sent again.
    expect(await replicas[2].client.executions.toolCalls(id).toArray()).toMatchObject([
      { status: "failed", error: { code: "OUTCOME_UNKNOWN", outcome: "unknown" } },
      { status: "completed" },
    ]);
    expect(service.arrivals.map(({ toolCallId }) => toolCallId)).toEqual([pay?.toolCallId, read?.toolCallId]);
  });
});

/** What a person answers; a replica that dies meanwhile may have heard it. */
async function answerOn(leads: readonly Yagate[], approvalId: string, isApproved: boolean): Promise<void> {
  for (const { approvals } of leads) {
    try {
      await (isApproved ? approvals.approve(approvalId) : approvals.deny(approvalId));
      return;
    } catch (error) {
      if (!YagateError.is(error)) throw error;
      if (error.code === "CONFLICT") return;
      if (error.code !== "CONNECTION_FAILED") throw error;
    }
  }
  throw new Error("expected a replica that is alive");
}

/** The latency of a service that keeps its first call. */
function firstIsHeld(): () => number {
  let calls = 0;
  return () => {
    calls += 1;
    return calls === 1 ? HELD_MS : 0;
  };
}
