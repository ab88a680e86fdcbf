import type { Execution } from "@yagate/protocol";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { hasPostgres, type PostgresServer, startPostgres } from "../services/postgres.ts";
import { followToEnd } from "./applicant.ts";
import type { GatewayProcess } from "./gateway-process.ts";
import { openReplicas } from "./replicas.ts";

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

  it("show, wait for, answer and cancel on each what was started on another", { timeout: 120_000 }, async () => {
    const { replicas, service, agentId } = await openReplicas(server, { latencyMs: () => 3_000 });
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
});
