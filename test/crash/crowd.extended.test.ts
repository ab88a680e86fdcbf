import { setTimeout as pass } from "node:timers/promises";
import { expect, it } from "vitest";
import { openWorld } from "../e2e/support/world.ts";
import { callHistories, describeCall, isOf } from "./call-history.ts";
import { startCountingService } from "./counting-service.ts";
import { createSeededRandom } from "./seeded-random.ts";
import { TOOLS } from "./tools.ts";
import { brokenCallRules, brokenExecutionRules } from "./verdict.ts";

const EXECUTIONS = 120;

it("sends every attempt once when many executions run at the same time and some are cancelled", {
  timeout: 90_000,
}, async () => {
  const random = createSeededRandom(process.env["CRASH_SEED"]);
  process.stdout.write(`\nCRASH_SEED=${random.seed}\n`);
  const world = await openWorld();
  const service = await startCountingService({ secret: world.secret, latencyMs: () => random.between(0, 30) });
  const agent = await world.createAgent(service.tools);
  const turn = () => ({
    toolCalls: Array.from({ length: random.between(2, 6) }, () => ({ name: random.pick(TOOLS).name, parameters: {} })),
  });

  const executions = Array.from({ length: EXECUTIONS }, async (_, index) => {
    const script = { turns: [turn(), turn(), { text: "done" }] };
    const { id } = await world.client.agents.start(agent.id, { input: "go", script });
    const isCancelled = index % 3 === 0;
    if (isCancelled) {
      await pass(random.between(0, 300));
      await world.client.executions.cancel(id);
    }
    const events = [];
    for await (const event of world.client.executions.events(id)) if (event.type !== "text.delta") events.push(event);
    return { id, isCancelled, events, calls: callHistories(events, service) };
  });
  const ended = await Promise.all(executions);

  const undisturbed = ended.filter(({ isCancelled }) => !isCancelled);
  expect(undisturbed.flatMap(({ id, events }) => brokenExecutionRules(id, events))).toEqual([]);
  expect(undisturbed.flatMap(({ calls }) => calls.flatMap((call) => brokenCallRules(call)))).toEqual([]);
  const sentTwice = ended
    .flatMap(({ calls }) => calls)
    .filter(({ attempts }) => attempts.some((each) => each.arrivals > 1));
  expect(sentTwice.map(describeCall)).toEqual([]);

  const cancelled = ended.filter(({ events }) => events.some(isOf("execution.cancel_requested")));
  expect(cancelled.length).toBeGreaterThan(0);
  for (const { events, calls } of cancelled) {
    const from = events.findIndex(isOf("execution.cancel_requested"));
    const later = events.slice(from).map(({ type }) => type);
    expect(later).not.toContain("attempt.started");
    expect(later).not.toContain("model.requested");
    expect(later.at(-1)).toBe("execution.cancelled");
    expect(calls.filter(({ ends }) => ends.length !== 1).map(describeCall)).toEqual([]);
  }
});
