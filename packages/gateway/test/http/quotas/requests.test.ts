import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { connect } from "node:net";
import { executionSchema, workspaceUsageSchema } from "@yagate/protocol";
import { afterAll, describe, expect, it } from "vitest";
import { calling, expectStatus, makeAgent, problemOf, saying, start } from "../support/agents.ts";
import { EventReader } from "../support/event-reader.ts";
import { startHandler, workTool } from "../support/handler.ts";
import { startWorld, type Tenant } from "../support/world.ts";

const unlimited = { requestsPerSecond: null, requestBytesInFlight: null };
const world = await startWorld({
  plans: {
    standard: unlimited,
    "slow-lane": { requestsPerSecond: 3, requestBytesInFlight: null },
    "small-bodies": { requestsPerSecond: null, requestBytesInFlight: 2_000 },
    "two-streams": { ...unlimited, eventStreams: 2, eventStreamsPerExecution: 1 },
  },
});
afterAll(() => world.stop());

async function makeTenant(plan?: string): Promise<Tenant> {
  const tenant = await world.makeWorkspace(`t-${randomBytes(4).toString("hex")}`);
  if (plan !== undefined) await setPlan(tenant, plan);
  return tenant;
}

async function setPlan({ workspaceId }: Tenant, plan: string): Promise<void> {
  expectStatus(await world.call("updateWorkspace", { params: { id: workspaceId }, body: { plan } }), 200);
}

async function usageOf({ key }: Tenant) {
  return workspaceUsageSchema.parse(expectStatus(await world.call("getUsage", { key }), 200));
}

/** Sends requests until one is refused. */
async function flood({ key }: Tenant) {
  for (let sent = 0; sent < 50; sent += 1) {
    const answer = await world.call("listAgents", { key });
    if (answer.status !== 200) return { sent, answer };
  }
  throw new Error("expected a refusal");
}

describe("requests a second", () => {
  it("are refused beyond the plan's number, with a time after which they are served again", async () => {
    const tenant = await makeTenant("slow-lane");
    const { sent, answer } = await flood(tenant);
    expect(sent).toBeGreaterThanOrEqual(3);
    expect(answer.status).toBe(429);
    expect(answer.headers.get("retry-after")).toBe("1");
    const problem = problemOf(answer);
    expect(problem).toMatchObject({ code: "QUOTA_EXCEEDED", quota: "requestsPerSecond", limit: 3, used: 3 });
    expect((await world.call("listAgents", { key: (await makeTenant()).key })).status).toBe(200);
  });

  it("never refuse a cancel, a fallback, an approval or a decision on one, nor metrics", async () => {
    const tenant = await makeTenant();
    const handler = await startHandler({ isHeld: true });
    const agent = await makeAgent(world, { tools: [workTool(handler.url)] }, tenant);
    const execution = await start(world, agent.id, calling("work"), tenant);
    await handler.called(1);
    await setPlan(tenant, "slow-lane");
    await flood(tenant);
    for (let times = 0; times < 10; times += 1) {
      const cancelled = await world.call("cancelExecution", { key: tenant.key, params: { id: execution.id } });
      expect(cancelled.status).toBe(202);
    }
    for (const name of ["approve", "deny", "answerFallback"]) {
      const body = name === "answerFallback" ? { decline: true } : {};
      const id = name === "answerFallback" ? "tc_none" : "apr_none";
      const answers = await Promise.all(
        Array.from({ length: 10 }, () => world.call(name, { key: tenant.key, params: { id }, body })),
      );
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([404]));
    }
    handler.release();
  });

  it("are counted in the metrics, without the tenant's name", async () => {
    await flood(await makeTenant("slow-lane"));
    const metrics = String((await world.call("getMetrics")).body);
    expect(metrics).toMatch(/yagate_quota_refusals_total\{quota="requestsPerSecond"\} [1-9]/);
  });
});

describe("bytes of requests in flight", () => {
  const create = (tenant: Tenant, bytes: number, rest: Record<string, unknown> = {}) =>
    world.call("createAgent", {
      key: tenant.key,
      body: { name: "a", model: "scripted/turns", systemPrompt: "x".repeat(bytes), ...rest },
    });

  it("refuse a body that is too much, and take one that fits", async () => {
    const tenant = await makeTenant("small-bodies");
    expect((await create(tenant, 1_000)).status).toBe(201);
    const answer = await create(tenant, 3_000);
    expect(answer.status).toBe(429);
    expect(answer.headers.get("retry-after")).toBe("1");
    expect(problemOf(answer)).toMatchObject({ code: "QUOTA_EXCEEDED", quota: "requestBytesInFlight", limit: 2_000 });
    expect((await usageOf(tenant)).quotas["requestBytesInFlight"]).toMatchObject({ limit: 2_000, used: 0 });
  });

  it("count a body that is still being sent, announced or not, and no longer than its request", async () => {
    const tenant = await makeTenant("small-bodies");
    for (const framing of ["Content-Length: 1800", "Transfer-Encoding: chunked"]) {
      const socket = connect(Number(new URL(world.url).port), "127.0.0.1");
      await once(socket, "connect");
      socket.write(
        `POST /v1/agents HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer ${tenant.key}\r\n` +
          `Content-Type: application/json\r\n${framing}\r\n\r\n`,
      );
      const part = " ".repeat(1_700);
      socket.write(framing.startsWith("T") ? `${part.length.toString(16)}\r\n${part}\r\n` : part);
      await expect
        .poll(async () => (await usageOf(tenant)).quotas["requestBytesInFlight"]?.used)
        .toBeGreaterThan(1_600);
      expect((await create(tenant, 1_000)).status).toBe(429);
      socket.destroy();
      await expect.poll(async () => (await usageOf(tenant)).quotas["requestBytesInFlight"]?.used).toBe(0);
      expect((await create(tenant, 1_000)).status).toBe(201);
    }
  });

  it("leave no way to push bytes into a refused request", async () => {
    const tenant = await makeTenant("small-bodies");
    const socket = connect(Number(new URL(world.url).port), "127.0.0.1");
    socket.on("error", () => undefined);
    await once(socket, "connect");
    socket.write(
      `POST /v1/agents HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer ${tenant.key}\r\n` +
        "Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n",
    );
    const closed = new Promise((resolve) => socket.once("close", resolve));
    const part = " ".repeat(65_536);
    socket.resume();
    while (!socket.closed && !socket.destroyed && socket.bytesWritten < 64_000_000) {
      if (!socket.write(`${part.length.toString(16)}\r\n${part}\r\n`)) {
        await Promise.race([once(socket, "drain").catch(() => undefined), closed]);
      }
    }
    await closed;
    expect(socket.bytesWritten).toBeLessThan(20_000_000);
    expect((await usageOf(tenant)).quotas["requestBytesInFlight"]?.used).toBe(0);
  });
});

describe("event streams", () => {
  it("are refused beyond the plan's number, start nothing then, and are free again when clients leave", async () => {
    const tenant = await makeTenant("two-streams");
    const handler = await startHandler({ isHeld: true });
    const agent = await makeAgent(world, { tools: [workTool(handler.url)] }, tenant);
    const open = (signal: AbortSignal) =>
      world.open("executeAgent", {
        ...{ key: tenant.key, params: { id: agent.id }, signal, body: calling("work") },
        headers: { accept: "text/event-stream", "idempotency-key": "third" },
      });
    const clients = [new AbortController(), new AbortController()];
    const executions = [];
    for (const { signal } of clients) {
      const execution = await start(world, agent.id, calling("work"), tenant);
      const stream = await world.open("followExecution", { key: tenant.key, params: { id: execution.id }, signal });
      expect(stream.status).toBe(200);
      executions.push(execution);
    }
    expect((await usageOf(tenant)).quotas).toMatchObject({
      eventStreams: { limit: 2, used: 2, countedBy: "replica" },
      eventStreamsPerExecution: { limit: 1, used: 1 },
    });
    const refused = await open(AbortSignal.timeout(10_000));
    expect(refused.status).toBe(429);
    expect(await refused.json()).toMatchObject({ quota: "eventStreams", limit: 2, used: 2 });
    const list = await world.call("listExecutions", { key: tenant.key });
    expect(list.body).toMatchObject({ data: [{ id: executions[1]?.id }, { id: executions[0]?.id }] });

    clients[0]?.abort();
    await expect.poll(async () => (await usageOf(tenant)).quotas["eventStreams"]?.used).toBe(1);
    const same = { key: tenant.key, params: { id: executions[1]?.id ?? "" } };
    const second = await world.call("followExecution", same);
    expect(problemOf(second)).toMatchObject({ quota: "eventStreamsPerExecution", limit: 1, used: 1 });
    const third = await open(AbortSignal.timeout(10_000));
    expect(third.status).toBe(200);
    handler.release();
    await new EventReader(third).all();
    clients[1]?.abort();
    await expect.poll(async () => (await usageOf(tenant)).quotas["eventStreams"]?.used).toBe(0);
  });
});

describe("GET /v1/usage", () => {
  it("is open to every key of the workspace, and to operators for others", async () => {
    const tenant = await makeTenant();
    const { text: key } = await world.makeKey(["executions"], tenant.workspaceId);
    await makeAgent(world, {}, tenant);
    const own = workspaceUsageSchema.parse(expectStatus(await world.call("getUsage", { key }), 200));
    expect(own).toMatchObject({ workspaceId: tenant.workspaceId, plan: "standard" });
    expect(own.quotas["agents"]).toEqual({ limit: 1_000, used: 1, countedBy: "workspace" });
    expect(own.quotas["requestsPerSecond"]).toMatchObject({ limit: null });
    const query = { workspaceId: tenant.workspaceId };
    expect((await world.call("getUsage", { query })).body).toMatchObject({ workspaceId: tenant.workspaceId });
    const stranger = await makeTenant();
    expect((await world.call("getUsage", { key: stranger.key, query })).status).toBe(404);
    const { text: plain } = await world.makeKey(["executions"]);
    expect((await world.call("getUsage", { key: plain, query })).status).toBe(404);
  });
});

describe("a quota that is reached", () => {
  it("leaves what runs alone", async () => {
    const tenant = await makeTenant();
    const handler = await startHandler({ isHeld: true });
    const agent = await makeAgent(world, { tools: [workTool(handler.url)] }, tenant);
    const execution = await start(world, agent.id, calling("work"), tenant);
    await handler.called(1);
    await setPlan(tenant, "slow-lane");
    await flood(tenant);
    handler.release();
    await setPlan(tenant, "standard");
    const params = { id: execution.id };
    await new EventReader(await world.open("followExecution", { key: tenant.key, params })).all();
    const ended = executionSchema.parse((await world.call("getExecution", { key: tenant.key, params })).body);
    expect(ended.output?.text).toBe("done");
    expect((await start(world, agent.id, saying("hi"), tenant)).status).toBe("queued");
  });
});
