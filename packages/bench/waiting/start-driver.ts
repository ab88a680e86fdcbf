import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { composeGateway } from "../../gateway/src/compose/compose-gateway.ts";
import { completeConfig } from "../../gateway/src/config/gateway-config.ts";
import { UNLIMITED_PLANS } from "../unlimited-plans.ts";
import type { MeasuredWaiting } from "./compare.ts";

// Enough for the process to reach the size that its work needs without waiting executions.
const WARM_UP = 20_000;
const EXECUTIONS = 100_000;
const CONCURRENCY = 32;
const APPROVALS = 200;
const MEBIBYTE = 1_048_576;

const [dataDir] = process.argv.slice(2);
if (dataDir === undefined) throw new Error("expected a data directory");

const arrivals = new Map<string, (at: number) => void>();
const handler = createServer(async (request, response) => {
  arrivals.get(String(request.headers["idempotency-key"]))?.(performance.now());
  request.resume();
  await once(request, "end");
  response.writeHead(200, { "content-type": "application/json" }).end('{"result":"done"}');
});
handler.listen(0, "127.0.0.1");
await once(handler, "listening");

const composed = await composeGateway(
  completeConfig({
    plans: UNLIMITED_PLANS,
    dataDir,
    allowCidrs: ["127.0.0.0/8"],
    allowSelfApproval: true,
    logLevel: "silent",
  }),
);
const { defaultWorkspaceId: workspaceId, approvals, executions, store } = composed;
const agent = await composed.agentWriter.create(workspaceId, {
  name: "bench",
  model: "scripted/turns",
  systemPrompt: "You answer questions about orders.",
  tools: [
    {
      name: "cancel_order",
      description: "Cancel an order.",
      parameters: { type: "object", properties: { orderId: { type: "string" } }, required: ["orderId"] },
      handler: `http://127.0.0.1:${(handler.address() as AddressInfo).port}/`,
      sideEffect: "destructive",
    },
  ],
});
const request = {
  input: "Cancel order ORD-12345.",
  script: {
    turns: [{ toolCalls: [{ name: "cancel_order", parameters: { orderId: "ORD-12345" } }] }, { text: "Done." }],
  },
};

/** Starts an execution and waits until it waits. */
async function startWaiting(): Promise<void> {
  const { execution, events } = await executions.startAndFollow(
    { workspaceId, keyId: null, keyRouting: undefined, agent, request },
    0,
    new AbortController().signal,
  );
  for await (const { type } of events) if (type === "execution.waiting") return;
  throw new Error(`expected ${execution.id} to wait`);
}

async function startMany(count: number): Promise<void> {
  let left = count;
  const worker = async () => {
    while (left > 0) {
      left -= 1;
      await startWaiting();
    }
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, worker));
}

async function memory(): Promise<{ readonly heapMiB: number; readonly rssMiB: number }> {
  // The last ones are suspended in the commits that follow.
  await new Promise((resolve) => setTimeout(resolve, 500));
  for (let round = 0; round < 3; round += 1) globalThis.gc?.();
  const { rss, heapUsed, arrayBuffers, external } = process.memoryUsage();
  return { heapMiB: (heapUsed + arrayBuffers + external) / MEBIBYTE, rssMiB: rss / MEBIBYTE };
}

async function timeToNextStep(approvalId: string, toolCallId: string): Promise<number> {
  const arrived = new Promise<number>((resolve) => arrivals.set(toolCallId, resolve));
  await approvals.approve({ workspaceId, keyId: null, approvalId });
  const answeredAt = performance.now();
  return Math.max(0, (await arrived) - answeredAt);
}

await startMany(WARM_UP);
const before = await memory();
const startedAt = performance.now();
await startMany(EXECUTIONS);
const secondsToStart = (performance.now() - startedAt) / 1_000;
const after = await memory();
const { data } = await store.approvals.list(workspaceId, { limit: APPROVALS });
const toNextStepMs: number[] = [];
for (const { id, toolCallId } of data) toNextStepMs.push(await timeToNextStep(id, toolCallId));

const measured: MeasuredWaiting = {
  executions: EXECUTIONS,
  secondsToStart,
  heapGrowthMiB: after.heapMiB - before.heapMiB,
  rssGrowthMiB: after.rssMiB - before.rssMiB,
  toNextStepMs,
};
process.send?.(measured);
handler.close();
handler.closeAllConnections();
await composed.close();
process.disconnect();
