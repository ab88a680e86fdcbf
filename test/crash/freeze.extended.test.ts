import { setTimeout as pass } from "node:timers/promises";
import { expect, it } from "vitest";
import { LEASE_MS } from "../../packages/gateway/src/scheduler/lease.ts";
import { followToEnd, startUntilAccepted } from "./applicant.ts";
import { callHistories } from "./call-history.ts";
import { startCountingService } from "./counting-service.ts";
import { GatewayProcess } from "./gateway-process.ts";
import { storedEventsOf } from "./stored-events.ts";
import { TOOLS } from "./tools.ts";
import { brokenCallRules, brokenExecutionRules } from "./verdict.ts";

const EXECUTIONS = 30;

it("ends everything and sends nothing twice when it was frozen for longer than its lease", {
  timeout: 120_000,
}, async () => {
  const gateway = await GatewayProcess.prepare();
  const service = await startCountingService({ secret: gateway.signingSecret, latencyMs: () => 30 });
  await gateway.start();
  const agent = await gateway.client.agents.create({ name: "Frozen", model: "scripted/turns", tools: service.tools });
  const everyTool = { toolCalls: TOOLS.map(({ name }) => ({ name, parameters: {} })) };
  const script = { turns: [everyTool, everyTool, everyTool, { text: "done" }] };
  const executions = Array.from({ length: EXECUTIONS }, () => startUntilAccepted(gateway, agent.id, script));

  await service.untilArrived((EXECUTIONS * TOOLS.length) / 2);
  gateway.signal("SIGSTOP");
  const arrivedBefore = service.arrivals.length;
  await pass(LEASE_MS + 1_000);
  // What was on the wire has arrived by now, and nothing else can have left.
  const arrivedMeanwhile = service.arrivals.length - arrivedBefore;
  gateway.signal("SIGCONT");

  const ids = (await Promise.all(executions)).map(({ id }) => id);
  await Promise.all(ids.map((id) => followToEnd(gateway, id)));
  expect(await gateway.end("SIGTERM")).toBe(0);
  const storedEvents = await storedEventsOf(gateway.dataDir, ids);
  const calls = [...storedEvents.values()].flatMap((events) => callHistories(events, service));
  process.stdout.write(`\n${JSON.stringify({ toolCalls: calls.length, arrivedBefore, arrivedMeanwhile })}\n`);
  expect([...storedEvents].flatMap(([id, events]) => brokenExecutionRules(id, events))).toEqual([]);
  expect(calls.flatMap((call) => brokenCallRules(call, { mayNeverLeave: true }))).toEqual([]);
  expect(calls).toHaveLength(EXECUTIONS * TOOLS.length * 3);
  expect(arrivedBefore + arrivedMeanwhile).toBeLessThan(service.arrivals.length);
});
