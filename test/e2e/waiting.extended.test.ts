import type { Yagate } from "@yagate/client";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type MeasuredGateway, startMeasuredGateway } from "./support/measured-gateway.ts";
import { startRawService, toolAt } from "./support/services.ts";

const EXECUTIONS = 1_500;
const AT_ONCE = 50;
/** A run that stayed in memory holds about 6 KiB: this many would hold 9 MiB. */
const MOST_KEPT_MIB = 4;

let gateway: MeasuredGateway;
beforeAll(async () => {
  gateway = await startMeasuredGateway({ allowSelfApproval: true });
});
afterAll(() => gateway.stop());

async function startMany(client: Yagate, agentId: string, count: number): Promise<void> {
  const script = { turns: [{ toolCalls: [{ name: "lookup_order", parameters: {} }] }, { text: "done" }] };
  for (let started = 0; started < count; started += AT_ONCE) {
    const batch = Array.from({ length: AT_ONCE }, () => client.agents.start(agentId, { input: "go", script }));
    await Promise.all(batch);
  }
}

it("executions that wait for a person stay out of memory, and go on at once when one has answered", async () => {
  const { client } = gateway;
  const arrival = Promise.withResolvers<number>();
  const service = await startRawService((response) => {
    arrival.resolve(performance.now());
    response.json({ result: "done" });
  });
  const tool = toolAt(service.url, { parameters: { type: "object" }, sideEffect: "destructive" });
  const agent = await client.agents.create({ name: "Desk", model: "scripted/turns", tools: [tool] });
  const waiting = async () => (await client.approvals.list({ status: "pending", limit: 200 }).toArray()).length;
  const settled = async (count: number) => {
    await expect.poll(waiting, { timeout: 20_000, interval: 200 }).toBe(count);
    return gateway.keptMiB();
  };

  await startMany(client, agent.id, EXECUTIONS);
  const before = await settled(EXECUTIONS);
  await startMany(client, agent.id, EXECUTIONS);
  const after = await settled(2 * EXECUTIONS);
  expect(after - before).toBeLessThan(MOST_KEPT_MIB);

  const { data } = await client.approvals.list({ limit: 1 }).page();
  const answeredAt = performance.now();
  await client.approvals.approve(data[0]?.id ?? "");
  expect((await arrival.promise) - answeredAt).toBeLessThan(1_000);
}, 60_000);
