import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { hasPostgres, type PostgresServer, startPostgres } from "../services/postgres.ts";
import { GatewayProcess } from "./gateway-process.ts";
import {
  createTenant,
  executeWithin,
  type HangingService,
  metricsOf,
  REQUEST,
  startDelayOf,
  startHangingService,
  startMany,
  type Tenant,
} from "./tenants.ts";

/** How long the second workspace's execution may take to end beside the other's: far less than any of theirs hangs. */
const WITHIN_MS = 10_000;

interface Saturated {
  readonly service: HangingService;
  readonly greedy: Tenant;
  readonly modest: Tenant;
  readonly quickAgent: string;
}

/** One workspace has started so many executions on each replica that hang on so many URLs, and another one comes. */
async function saturate(
  replicas: readonly [GatewayProcess, ...GatewayProcess[]],
  options: { readonly urls: number; readonly executions: number },
): Promise<Saturated> {
  const [first] = replicas;
  const service = await startHangingService();
  const greedy = await createTenant(first, "greedy");
  const modest = await createTenant(first, "modest");
  const agents: string[] = [];
  for (let index = 0; index < options.urls; index += 1) {
    agents.push(await greedy.createAgent(first, `${service.url}/hang/${index}`));
  }
  for (const replica of replicas) await startMany(greedy.at(replica), agents, options.executions);
  const quickAgent = await modest.createAgent(first, `${service.url}/quick`);
  return { service, greedy, modest, quickAgent };
}

describe("a workspace that saturates a gateway", () => {
  it("leaves another its places, though all of its executions hang on one URL", { timeout: 120_000 }, async () => {
    const gateway = await GatewayProcess.prepare();
    await gateway.start();
    const { service, modest, quickAgent } = await saturate([gateway], { urls: 1, executions: 600 });
    const execution = await executeWithin(modest.at(gateway), quickAgent, WITHIN_MS);
    expect(execution).toMatchObject({ status: "completed", output: { text: "done" } });
    expect(service.hanging).toBe(64);
    // What waits for a slot of its endpoint holds no place.
    const metrics = await metricsOf(gateway);
    expect(metrics.get('yagate_executions{state="running"}')).toBe(64);
    const queued = metrics.get("yagate_endpoint_calls_queued") ?? 0;
    const pending = metrics.get('yagate_executions{state="pending"}') ?? 0;
    expect(queued + pending).toBe(536);
    expect(queued).toBeGreaterThanOrEqual(500);
    expect(gateway.defects).toEqual([]);
  });

  it("leaves another its places, though its executions hold all of them", { timeout: 120_000 }, async () => {
    const gateway = await GatewayProcess.prepare({ YAGATE_MAX_CONCURRENT_EXECUTIONS: "100" });
    await gateway.start();
    const { service, modest, quickAgent } = await saturate([gateway], { urls: 10, executions: 150 });
    await expect.poll(() => service.hanging, { timeout: 20_000 }).toBe(100);
    const before = await metricsOf(gateway);
    expect(before.get('yagate_executions{state="running"}')).toBe(100);
    const started = await Promise.all(
      Array.from({ length: 20 }, () => executeWithin(modest.at(gateway), quickAgent, WITHIN_MS)),
    );
    for (const execution of started) {
      expect(execution.status).toBe("completed");
      expect(startDelayOf(execution)).toBeLessThan(1_000);
    }
    // No place of the first was taken away, and none was added.
    expect(service.hanging).toBe(100);
    expect(gateway.defects).toEqual([]);
  });

  it("has its own share again after a crash, and leaves another its", { timeout: 120_000 }, async () => {
    const gateway = await GatewayProcess.prepare({ YAGATE_MAX_CONCURRENT_EXECUTIONS: "50" });
    await gateway.start();
    const { service, modest, quickAgent } = await saturate([gateway], { urls: 5, executions: 300 });
    await expect.poll(() => service.hanging, { timeout: 20_000 }).toBe(50);
    const hanging = await modest.createAgent(gateway, `${service.url}/hang/modest`);
    await startMany(modest.at(gateway), [hanging], 3);
    await expect.poll(() => service.hanging, { timeout: 20_000 }).toBe(53);
    await gateway.kill();
    await gateway.start();
    // An attempt that was on its way is unknown, and its execution goes on to its end.
    const data = await modest.at(gateway).executions.list().toArray();
    expect(data).toHaveLength(3);
    for (const { id } of data) {
      await expect
        .poll(async () => (await modest.at(gateway).executions.get(id)).status, { timeout: WITHIN_MS })
        .toBe("completed");
    }
    expect((await executeWithin(modest.at(gateway), quickAgent, WITHIN_MS)).status).toBe("completed");
    // Those that were interrupted have ended; others took their places.
    await expect.poll(() => service.hanging, { timeout: 20_000 }).toBe(103);
  });
});

describe("executions that find no room in the queue of their endpoint", () => {
  it.each<[string, NodeJS.Signals]>([
    ["killed", "SIGKILL"],
    ["stopped in order", "SIGTERM"],
  ])(
    "are held by no process, and go on when there is room, though the gateway was %s",
    {
      timeout: 120_000,
    },
    async (_how, signal) => {
      const bounds = { YAGATE_ENDPOINT_CONCURRENCY: "1", YAGATE_ENDPOINT_QUEUE: "1", YAGATE_DRAIN_MS: "0" };
      const gateway = await GatewayProcess.prepare(bounds);
      await gateway.start();
      const service = await startHangingService();
      const tenant = await createTenant(gateway, "tenant");
      const agentId = await tenant.createAgent(gateway, `${service.url}/hang`);
      const client = tenant.at(gateway);
      await startMany(client, [agentId], 2);
      await expect.poll(async () => (await metricsOf(gateway)).get("yagate_endpoint_calls_queued")).toBe(1);
      const interrupted = new Set((await client.executions.list().toArray()).map(({ id }) => id));
      await startMany(client, [agentId], 3);
      await expect
        .poll(async () => {
          const metrics = await metricsOf(gateway);
          return ["running", "waiting", "pending"].map((state) => metrics.get(`yagate_executions{state="${state}"}`));
        })
        .toEqual([1, 1, 0]);
      const all = await client.executions.list().toArray();
      expect(all.map(({ status }) => status)).toEqual(Array.from({ length: 5 }, () => "running"));

      await gateway.end(signal);
      service.release();
      await gateway.start();
      for (const { id } of all) {
        const statusOf = async () => (await client.executions.get(id)).status;
        await expect.poll(statusOf, { timeout: 30_000, interval: 200 }).toBe("completed");
        if (interrupted.has(id)) continue;
        const [call] = await client.executions.toolCalls(id).toArray();
        expect(call).toMatchObject({ status: "completed", attempts: [{ number: 1, httpStatus: 200 }] });
        expect(call?.attempts).toHaveLength(1);
      }
      expect(gateway.defects).toEqual([]);
    },
  );
});

it("executions that wait in the queue of their endpoint are sent after a stop in order, though they write", {
  timeout: 60_000,
}, async () => {
  const bounds = { YAGATE_ENDPOINT_CONCURRENCY: "1", YAGATE_DRAIN_MS: "500" };
  const gateway = await GatewayProcess.prepare(bounds);
  await gateway.start();
  const service = await startHangingService();
  const tenant = await createTenant(gateway, "tenant");
  const client = tenant.at(gateway);
  const agentId = await tenant.createAgent(gateway, `${service.url}/hang`, { sideEffect: "non_idempotent_write" });
  await startMany(client, [agentId], 1);
  await expect.poll(() => service.hanging).toBe(1);
  const [onItsWay] = await client.executions.list().toArray();
  await startMany(client, [agentId], 4);
  await expect.poll(async () => (await metricsOf(gateway)).get("yagate_endpoint_calls_queued")).toBe(4);

  await gateway.end("SIGTERM");
  service.release();
  await gateway.start();
  for (const { id } of await client.executions.list().toArray()) {
    const statusOf = async () => (await client.executions.get(id)).status;
    await expect.poll(statusOf, { timeout: 30_000, interval: 200 }).toBe("completed");
    const [call] = await client.executions.toolCalls(id).toArray();
    if (id === onItsWay?.id) expect(call?.error).toMatchObject({ code: "OUTCOME_UNKNOWN" });
    else expect(call).toMatchObject({ status: "completed", attempts: [{ number: 1, httpStatus: 200 }] });
  }
  expect(service.hanging).toBe(5);
  expect(gateway.defects).toEqual([]);
});

it("an execution that finds no room in the queue of its endpoint ends when it is cancelled, or its time is over", {
  timeout: 60_000,
}, async () => {
  const gateway = await GatewayProcess.prepare({ YAGATE_ENDPOINT_CONCURRENCY: "1", YAGATE_ENDPOINT_QUEUE: "1" });
  await gateway.start();
  const service = await startHangingService();
  const tenant = await createTenant(gateway, "tenant");
  const agentId = await tenant.createAgent(gateway, `${service.url}/hang`);
  const client = tenant.at(gateway);
  await startMany(client, [agentId], 2);
  await expect.poll(async () => (await metricsOf(gateway)).get("yagate_endpoint_calls_queued")).toBe(1);
  const cancelled = await client.agents.start(agentId, REQUEST);
  const hurried = await client.agents.start(agentId, { ...REQUEST, limits: { maxWallTimeMs: 2_000 } });
  const heldNow = async () => {
    const metrics = await metricsOf(gateway);
    const states = ["running", "waiting", "pending"].map(
      (state) => metrics.get(`yagate_executions{state="${state}"}`) ?? 0,
    );
    return states.reduce((sum, count) => sum + count, 0);
  };
  await expect.poll(heldNow).toBe(2);
  await client.executions.cancel(cancelled.id);
  const endOf = async (id: string) => {
    const { status, stopReason } = await client.executions.get(id);
    return [status, stopReason];
  };
  await expect.poll(() => endOf(cancelled.id), { timeout: 5_000 }).toEqual(["cancelled", "cancelled"]);
  await expect.poll(() => endOf(hurried.id), { timeout: 10_000 }).toEqual(["completed", "maxWallTimeMs"]);
  for (const { id } of [cancelled, hurried]) {
    const [call] = await client.executions.toolCalls(id).toArray();
    expect(call?.attempts).toMatchObject([{ requestBytes: 0 }]);
  }
  expect(service.hanging).toBe(1);
  expect(gateway.defects).toEqual([]);
});

describe.skipIf(!hasPostgres())("a workspace that saturates three replicas of one PostgreSQL", () => {
  let server: PostgresServer;
  beforeAll(async () => {
    server = await startPostgres();
  });
  afterAll(() => server?.stop());

  async function openReplicas() {
    const environment = { DATABASE_URL: await server.createDatabase(), YAGATE_MAX_CONCURRENT_EXECUTIONS: "40" };
    const prepare = () => GatewayProcess.prepare(environment);
    const replicas = [await prepare(), await prepare(), await prepare()] as const;
    for (const replica of replicas) await replica.start();
    return replicas;
  }

  it("leaves another its places on each, for what comes and for what is due", { timeout: 120_000 }, async () => {
    const replicas = await openReplicas();
    const [first, second] = replicas;
    const { service, modest, quickAgent } = await saturate(replicas, { urls: 4, executions: 60 });
    await expect.poll(() => service.hanging, { timeout: 20_000 }).toBe(120);
    for (const replica of replicas) {
      const execution = await executeWithin(modest.at(replica), quickAgent, WITHIN_MS);
      expect(execution.status).toBe("completed");
      expect(startDelayOf(execution)).toBeLessThan(1_000);
    }
    // One that waits for a person is held by no replica: the decision makes it due, and one of them has to claim it.
    const asking = await modest.createAgent(first, `${service.url}/quick`, { approval: "always" });
    const { id } = await modest.at(first).agents.start(asking, REQUEST);
    const statusOf = async () => (await modest.at(first).executions.get(id)).status;
    await expect.poll(statusOf).toBe("waiting");
    const [approval] = await modest.leadAt(second).approvals.list({ status: "pending" }).toArray();
    await modest.leadAt(second).approvals.approve(approval?.id ?? "");
    await expect.poll(statusOf, { timeout: WITHIN_MS }).toBe("completed");
    expect(service.hanging).toBe(120);
  });

  it("leaves those of a replica that died to the others, another's first", { timeout: 120_000 }, async () => {
    const replicas = await openReplicas();
    const [first, second, third] = replicas;
    const { service, modest } = await saturate(replicas, { urls: 4, executions: 60 });
    await expect.poll(() => service.hanging, { timeout: 20_000 }).toBe(120);
    const hanging = await modest.createAgent(first, `${service.url}/hang/modest`);
    await startMany(modest.at(first), [hanging], 5);
    await expect.poll(() => service.hanging, { timeout: 20_000 }).toBe(125);
    await first.kill();
    const data = await modest.at(second).executions.list().toArray();
    expect(data).toHaveLength(5);
    for (const { id } of data) {
      // Its lease lapses after 10 s; the others hold all of their places all the while.
      await expect
        .poll(async () => (await modest.at(third).executions.get(id)).status, { timeout: 25_000, interval: 200 })
        .toBe("completed");
    }
  });
});
