import { once } from "node:events";
import { setTimeout as pass } from "node:timers/promises";
import { completeConfig } from "@yagate/gateway";
import { UNLIMITED_PLANS } from "../../packages/bench/unlimited-plans.ts";
import { composeGateway } from "../../packages/gateway/src/compose/compose-gateway.ts";
import { countNotifications } from "./count-notifications.ts";
import { type Pace, REQUEST, type Task, type Work } from "./workload.ts";

/** One replica: it executes its workload, reports the cost, and ends. */
const notifications = countNotifications();
const [task] = (await once(process, "message")) as [Task];
const composed = await composeGateway(completeConfig({ plans: UNLIMITED_PLANS, ...task.config }));
const workspaceId = composed.defaultWorkspaceId;
const agent = await composed.agentWriter.create(workspaceId, {
  name: "scale",
  model: "scripted/turns",
  systemPrompt: "You answer questions about orders.",
  tools: [
    {
      name: "lookup_order",
      description: "Look up an order by its number.",
      parameters: { type: "object", properties: { orderId: { type: "string" } }, required: ["orderId"] },
      handler: task.webhookUrl,
      sideEffect: "read_only",
    },
  ],
});

const latenciesMs: number[] = [];
async function execute(): Promise<void> {
  const before = performance.now();
  const start = { workspaceId, keyId: null, keyRouting: undefined, agent, request: REQUEST };
  const { status } = await composed.executions.startAndWait(start, 60_000, new AbortController().signal);
  if (status !== "completed") throw new Error(`expected the execution to complete, not ${status}`);
  latenciesMs.push(performance.now() - before);
}

async function executePaced({ perSecond, seconds, isRandom }: Extract<Pace, { perSecond: number }>): Promise<void> {
  const before = performance.now();
  const count = Math.round(perSecond * seconds);
  const moments = Array.from({ length: count }, (_, index) => (isRandom ? Math.random() * count : index) / perSecond);
  const running: Promise<void>[] = [];
  for (const moment of moments.toSorted((left, right) => left - right)) {
    await pass(Math.max(0, before + moment * 1_000 - performance.now()));
    running.push(execute());
  }
  await pass(Math.max(0, before + seconds * 1_000 - performance.now()));
  await Promise.all(running);
}

async function executeMany(count: number, atOnce: number): Promise<void> {
  let left = count;
  const worker = async () => {
    while (left > 0) {
      left -= 1;
      await execute();
    }
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
}

// All replicas begin together.
process.send?.("ready");
await once(process, "message");
const { pace } = task;
const before = performance.now();
if ("atOnce" in pace) await executeMany(pace.warmUp, pace.atOnce);
const warmedUp = latenciesMs.length;
const cpuBefore = process.cpuUsage();
await ("atOnce" in pace ? executeMany(pace.executions, pace.atOnce) : executePaced(pace));
const cpu = process.cpuUsage(cpuBefore);
const cpuMs = (cpu.user + cpu.system) / 1_000;
const seconds = (performance.now() - before) / 1_000;
// The last notifications may be sent while it closes.
await composed.close();
const work: Work = {
  executions: latenciesMs.length,
  cpuMsEach: cpuMs / (latenciesMs.length - warmedUp),
  cpuMs,
  seconds,
  notifications: notifications(),
  latenciesMs: latenciesMs.slice(warmedUp).toSorted((left, right) => left - right),
};
process.send?.(work);
process.disconnect();
