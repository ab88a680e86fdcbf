import { randomBytes } from "node:crypto";
import type { ToolCallback } from "@yagate/handler";
import { completeToolCall } from "@yagate/handler/callback";
import { describe, expect, it } from "vitest";
import { createMigratedDatabase } from "../services/migrated-stores.ts";
import { hasPostgres } from "../services/postgres.ts";
import { startDeferringService } from "./support/deferring-service.ts";
import { calls, toolAt } from "./support/services.ts";
import { openWorld, type World } from "./support/world.ts";

const TURNS = [calls("lookup_order"), { text: "done" }];

/** The same callback, to be brought to a certain replica, as a load balancer would. */
function at({ url }: World, callback: ToolCallback): ToolCallback {
  return { ...callback, url: `${url}${new URL(callback.url).pathname}` };
}

describe.skipIf(!hasPostgres())("two replicas on one PostgreSQL", () => {
  async function openTwo() {
    const databaseUrl = await createMigratedDatabase();
    const masterKeys = `k1:${randomBytes(32).toString("base64")}`;
    const shared = { databaseUrl, masterKeys, databaseConnections: 8 };
    const here = await openWorld(shared);
    const there = await openWorld({ ...shared, signingSecret: here.secret });
    const service = await startDeferringService(here.secret);
    const tool = toolAt(service.url, { async: true, sideEffect: "non_idempotent_write" });
    const agent = await here.createAgent([tool]);
    const { id } = await here.client.agents.start(agent.id, { input: "go", script: { turns: TURNS } });
    for await (const { type } of here.client.executions.events(id)) if (type === "execution.waiting") break;
    return { here, there, service, id, callback: await service.deferred(), options: { secrets: here.secret } };
  }

  it("take a result that is brought to the one that did not ask for it, and show its end on both", async () => {
    const { here, there, service, id, callback, options } = await openTwo();
    const ends = [here, there].map(({ client }) => client.executions.events(id).result());
    await completeToolCall(at(there, callback), { result: "brought" }, options);
    for (const end of await Promise.all(ends)) {
      expect(end).toMatchObject({ status: "completed", toolCalls: [{ via: "callback", result: "brought" }] });
    }
    await completeToolCall(at(here, callback), { result: "brought" }, options);
    expect(service.runs).toBe(1);
  });

  it("take one of many results that are brought to both at once", async () => {
    const { here, there, id, callback, options } = await openTwo();
    const results = Array.from({ length: 12 }, (_, n) => n);
    const answers = await Promise.allSettled(
      results.map((n) => completeToolCall(at(n % 2 === 0 ? here : there, callback), { result: n }, options)),
    );
    const taken = results.filter((n) => answers[n]?.status === "fulfilled");
    expect(taken).toHaveLength(1);
    for (const answer of answers) if (answer.status === "rejected") expect(answer.reason.code).toBe("CONFLICT");
    const { toolCalls } = await there.client.executions.events(id).result();
    expect(toolCalls[0]?.result).toBe(taken[0]);
  });
});
