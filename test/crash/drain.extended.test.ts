import { expect, it } from "vitest";
import { followToEnd, startUntilAccepted } from "./applicant.ts";
import { callHistories, wasInterrupted } from "./call-history.ts";
import { type CountingService, startCountingService } from "./counting-service.ts";
import { GatewayProcess } from "./gateway-process.ts";
import { storedEventsOf } from "./stored-events.ts";
import { TOOLS } from "./tools.ts";
import { brokenCallRules, brokenExecutionRules } from "./verdict.ts";

interface World {
  readonly gateway: GatewayProcess;
  readonly service: CountingService;
  readonly ids: readonly string[];
}

/** Executions whose calls are at their service, all of them. */
async function startCalls(
  count: number,
  { latencyMs, drainMs, tools }: { latencyMs: number; drainMs: number; tools: readonly string[] },
): Promise<World> {
  const gateway = await GatewayProcess.prepare({ YAGATE_DRAIN_MS: String(drainMs) });
  const service = await startCountingService({ secret: gateway.signingSecret, latencyMs: () => latencyMs });
  await gateway.start();
  const agent = await gateway.client.agents.create({ name: "Drained", model: "scripted/turns", tools: service.tools });
  const turn = { toolCalls: tools.map((name) => ({ name, parameters: {} })) };
  const script = { turns: [turn, turn, { text: "done" }] };
  const executions = Array.from({ length: count }, () => startUntilAccepted(gateway, agent.id, script));
  const ids = (await Promise.all(executions)).map(({ id }) => id);
  await service.untilArrived(count * tools.length);
  return { gateway, service, ids };
}

async function callsOf({ gateway, service, ids }: World) {
  const storedEvents = await storedEventsOf(gateway.dataDir, ids);
  return { storedEvents, calls: [...storedEvents.values()].flatMap((events) => callHistories(events, service)) };
}

async function goOn({ gateway, ids }: World): Promise<void> {
  await gateway.start();
  await Promise.all(ids.map((id) => followToEnd(gateway, id)));
  expect(await gateway.end("SIGTERM")).toBe(0);
}

it("waits for the calls that are on their way when it is told to stop, and writes them down", async () => {
  const world = await startCalls(10, { latencyMs: 300, drainMs: 10_000, tools: TOOLS.map(({ name }) => name) });
  expect(await world.gateway.end("SIGTERM")).toBe(0);
  const stopped = await callsOf(world);
  expect(stopped.calls).toHaveLength(10 * TOOLS.length);
  const open = stopped.calls.flatMap(({ attempts }) => attempts.filter(({ end }) => end === undefined));
  expect(open).toEqual([]);

  await goOn(world);
  const { storedEvents, calls } = await callsOf(world);
  expect(calls.filter(wasInterrupted)).toEqual([]);
  expect([...storedEvents].flatMap(([id, events]) => brokenExecutionRules(id, events))).toEqual([]);
  expect(calls.flatMap((call) => brokenCallRules(call))).toEqual([]);
});

it("stops after its time to drain, and treats what was left as interrupted", async () => {
  const world = await startCalls(1, { latencyMs: 3_000, drainMs: 100, tools: ["pay", "upsert"] });
  const startedAt = performance.now();
  expect(await world.gateway.end("SIGTERM")).toBe(0);
  expect(performance.now() - startedAt).toBeLessThan(2_800);
  await goOn(world);
  const { calls } = await callsOf(world);
  expect(calls.filter(wasInterrupted).map(({ name }) => name)).toEqual(["pay", "upsert"]);
  expect(calls.flatMap((call) => brokenCallRules(call))).toEqual([]);
});

it("ends at once on a second signal", async () => {
  const { gateway } = await startCalls(1, { latencyMs: 5_000, drainMs: 10_000, tools: ["pay"] });
  gateway.signal("SIGTERM");
  await expect.poll(() => gateway.output).toContain("Stopping");
  expect(await gateway.end("SIGINT")).toBe(130);
});
