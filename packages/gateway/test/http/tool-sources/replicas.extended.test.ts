import { randomBytes } from "node:crypto";
import { generateSigningSecret, type StreamEvent } from "@yagate/protocol";
import { describe, expect, it, onTestFinished } from "vitest";
import { createMigratedDatabase } from "../../../../../test/services/migrated-stores.ts";
import { hasPostgres } from "../../../../../test/services/postgres.ts";
import { execute as runSql } from "../../../../store/test/support/execute.ts";
import { calling, execute, makeAgent } from "../support/agents.ts";
import { describedTool } from "../support/describing-handler.ts";
import { EventReader } from "../support/event-reader.ts";
import { startToolSourceWorld, type ToolSourceWorld } from "../support/tool-source-world.ts";

const CHANGES = 5;
/** Replicas look for due sources every 2 s; longer on a busy machine. */
const SYNC_MS = 30_000;
/** From the acceptance of a definition until every replica offers it. */
const OFFERED_MS = 5_000;

async function startedWith(world: ToolSourceWorld, id: string): Promise<readonly string[]> {
  const reader = new EventReader(await world.open("followExecution", { params: { id } }));
  const { data }: { data: StreamEvent } = await reader.until("execution.started");
  await reader.leave();
  return data.type === "execution.started" ? (data.sourceTools ?? []).map(({ hash }) => hash) : [];
}

describe.skipIf(!hasPostgres())("three replicas on one PostgreSQL", () => {
  it("sync a source once for each change, and start executions with accepted definitions only", {
    timeout: 240_000,
  }, async () => {
    const databaseUrl = await createMigratedDatabase();
    const shared = {
      ...{ databaseUrl, masterKeys: `k1:${randomBytes(32).toString("base64")}`, databaseConnections: 8 },
      ...{ apiKey: `yk_${randomBytes(32).toString("base64url")}`, signingSecret: generateSigningSecret() },
      logLevel: "silent" as const,
    };
    const first = await startToolSourceWorld(shared);
    onTestFinished(() => first.stop());
    const others = [await startToolSourceWorld(shared), await startToolSourceWorld(shared)];
    for (const other of others) onTestFinished(() => other.stop());
    const replicas = [first, ...others];
    const replica = (number: number) => replicas[number % replicas.length] ?? first;

    const handler = await first.startHandler([describedTool("lookup", { description: "Version 0." })]);
    const source = await first.makeSource(handler, { accept: "all" });
    const agent = await makeAgent(first, { tools: [{ source: source.name }] });
    const call = calling(`${source.name}.lookup`);
    const hashOf = async (world: ToolSourceWorld) => (await world.readSource(source.id)).tools?.[0]?.hash ?? "";
    const accepted = new Set([await hashOf(first)]);

    let isOver = false;
    const started: { readonly id: string; readonly world: ToolSourceWorld }[] = [];
    const load = replicas.map(async (world) => {
      while (!isOver) started.push({ id: (await execute(world, agent.id, call)).id, world });
    });

    for (let change = 1; change <= CHANGES; change += 1) {
      handler.tools = [describedTool("lookup", { description: `Version ${change}.` })];
      await runSql(databaseUrl, "UPDATE tool_sources SET next_sync_at = 0 WHERE id = $1", [source.id]);
      const statusOf = async () => (await replica(change).readSource(source.id)).status;
      await expect.poll(statusOf, { timeout: SYNC_MS, interval: 100 }).toBe("changed");
      for (const world of replicas) {
        const { id } = await execute(world, agent.id, call);
        expect(await startedWith(world, id)).toEqual([]);
      }
      const hash = await hashOf(replica(change));
      expect(accepted.has(hash)).toBe(false);
      // Before the request, because an execution may start with the definition before the response arrives.
      accepted.add(hash);
      await replica(change + 1).accept(source.id);
      for (const world of replicas) {
        const offered = async () => startedWith(world, (await execute(world, agent.id, call)).id);
        await expect.poll(offered, { timeout: OFFERED_MS, interval: 50 }).toEqual([hash]);
      }
    }
    isOver = true;
    await Promise.all(load);

    expect(handler.describes).toHaveLength(1 + CHANGES);
    const used: string[] = [];
    for (const { id, world } of started) used.push(...(await startedWith(world, id)));
    expect(used.length).toBeGreaterThan(0);
    expect(used.filter((hash) => !accepted.has(hash))).toEqual([]);
  });
});
