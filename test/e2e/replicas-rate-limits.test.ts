import { randomBytes } from "node:crypto";
import type { ToolCallRecord } from "@yagate/client";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createMigratedDatabase } from "../services/migrated-stores.ts";
import { hasPostgres } from "../services/postgres.ts";
import { API_HOST, startApiService } from "./support/api-service.ts";
import { openWorld, type World } from "./support/world.ts";

/** What the plan `standard` allows, of which nothing is said here. */
const CALLS_PER_MINUTE = 10;

describe.skipIf(!hasPostgres())("replicas on one PostgreSQL, together,", () => {
  let shared: { readonly databaseUrl: string; readonly masterKeys: string };
  beforeAll(async () => {});
  beforeEach(async () => {
    shared = { databaseUrl: await createMigratedDatabase(), masterKeys: `k1:${randomBytes(32).toString("base64")}` };
  });

  /** An integration with a service, and an agent that may ask it; what `count` calls of it end as, on one replica. */
  async function openReplicas(limits?: { readonly standard: { readonly callsPerMinute: number } }) {
    const service = await startApiService((_request, response) => void response.json({ ok: true }));
    const here = await openWorld(shared);
    const there = await openWorld({ ...shared, signingSecret: here.secret });
    await here.client.integrations.create({
      ...{ name: "shop", allowedDomains: [API_HOST], ports: [service.port] },
      ...(limits === undefined ? {} : { limits }),
    });
    const agent = await here.createAgent([{ builtin: "http_get" }], {
      integrations: ["shop"],
      policy: { network: true },
    });
    const call = { name: "http_get", parameters: { url: `${service.url}/orders` } };
    const play = async ({ client }: World, count: number): Promise<readonly ToolCallRecord[]> => {
      const toolCalls = Array.from({ length: count }, () => call);
      const script = { turns: [{ toolCalls }, { text: "done" }] };
      return (await client.agents.execute(agent.id, { input: "go", script })).toolCalls;
    };
    return { here, there, service, play };
  }

  const outcomes = (calls: readonly ToolCallRecord[]) => ({
    completed: calls.filter(({ status }) => status === "completed").length,
    limited: calls.filter(({ error, blockReason }) => error?.code === "RATE_LIMITED" && blockReason === "rate_limited")
      .length,
  });

  it("let no more requests through in a minute than the plan of the workspace allows", async () => {
    const { here, there, service, play } = await openReplicas();
    const played = await Promise.all([here, there, here, there].map((world) => play(world, 6)));
    expect(outcomes(played.flat())).toEqual({ completed: CALLS_PER_MINUTE, limited: 24 - CALLS_PER_MINUTE });
    expect(service.requests).toHaveLength(CALLS_PER_MINUTE);
    for (const world of [here, there]) expect(outcomes(await play(world, 1))).toEqual({ completed: 0, limited: 1 });
    expect(service.requests).toHaveLength(CALLS_PER_MINUTE);
  });

  it("keep to a limit of an integration", async () => {
    const { here, there, service, play } = await openReplicas({ standard: { callsPerMinute: 3 } });
    const played = await Promise.all([here, there].map((world) => play(world, 4)));
    expect(outcomes(played.flat())).toEqual({ completed: 3, limited: 5 });
    expect(service.requests).toHaveLength(3);
  });
});
