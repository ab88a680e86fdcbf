import { randomBytes } from "node:crypto";
import { type ApiError, Yagate } from "@yagate/client";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { execute } from "../../packages/store/test/support/execute.ts";
import { hasPostgres, type PostgresServer, startPostgres } from "../services/postgres.ts";
import { RECOUNT_STORED_BYTES, type RecountedBytes } from "../services/stored-bytes.ts";
import { calls, startRawService, toolAt } from "./support/services.ts";
import { openWorld, type World } from "./support/world.ts";

const LIMITS = { agents: 6, tools: 6, secrets: 6, pendingExecutions: 6 };
const TURNS = [calls("lookup_order"), { text: "done" }];

describe.skipIf(!hasPostgres())("quotas on three replicas", () => {
  let server: PostgresServer;
  let worlds: readonly World[];
  let databaseUrl: string;
  beforeAll(async () => {
    server = await startPostgres();
  });
  afterAll(() => server?.stop());

  async function openThree(): Promise<readonly [World, World, World]> {
    databaseUrl = await server.createDatabase();
    const shared = {
      databaseUrl,
      masterKeys: `k1:${randomBytes(32).toString("base64")}`,
      databaseConnections: 8,
      plans: {
        standard: { requestsPerSecond: null },
        few: { ...LIMITS, requestsPerSecond: null },
        "little-space": { storedBytes: 50_000 },
      },
    };
    const first = await openWorld(shared);
    const rest = { ...shared, signingSecret: first.secret };
    const three = [first, await openWorld(rest), await openWorld(rest)] as const;
    worlds = three;
    return three;
  }

  /** What a workspace stores, counted from the rows. */
  async function recountOf(workspaceId: string): Promise<number | undefined> {
    const rows = await execute<RecountedBytes>(databaseUrl, RECOUNT_STORED_BYTES);
    return rows.find(({ workspace_id }) => workspace_id === workspaceId)?.bytes;
  }

  /** A workspace, and a client of it on each replica. */
  async function makeTenant(plan: string): Promise<{ readonly id: string; readonly clients: readonly Yagate[] }> {
    const [first] = worlds;
    if (first === undefined) throw new Error("expected a replica");
    const { id } = await first.client.workspaces.create({ name: `t-${randomBytes(4).toString("hex")}`, plan });
    const scopes = ["agents", "executions", "tools", "secrets"] as const;
    const { key } = await first.client.apiKeys.create({ name: "test", scopes: [...scopes], workspaceId: id });
    return { id, clients: worlds.map(({ url }) => new Yagate({ baseUrl: url, apiKey: key })) };
  }

  /** Does the same thing many times on every replica at once. */
  async function race(clients: readonly Yagate[], act: (client: Yagate, n: number) => Promise<unknown>) {
    const asked = Array.from({ length: 18 }, (_, n) => act(clients[n % clients.length] as Yagate, n));
    const settled = await Promise.allSettled(asked);
    const refused = settled.flatMap((one) => (one.status === "rejected" ? [one.reason as ApiError] : []));
    return { made: settled.length - refused.length, refused };
  }

  it("are reached exactly by creators on all of them, and leave what runs alone", async () => {
    await openThree();
    const held: { json(body: unknown): unknown }[] = [];
    let isReleased = false;
    const service = await startRawService((response) => {
      if (isReleased) response.json({ result: 1 });
      else held.push(response);
    });
    const { id, clients } = await makeTenant("few");
    const [first] = clients;
    const agentOf = (n: number) => ({
      name: `agent ${n}`,
      model: "scripted/turns",
      tools: [toolAt(service.url, { timeout: 60_000 })],
    });
    const outcomes = {
      agents: await race(clients, (client, n) => client.agents.create(agentOf(n))),
      secrets: await race(clients, (client, n) =>
        client.secrets.set(`KEY_${n}`, { value: `a-secret-value-of-some-length-${n}` }),
      ),
    };
    const agents = await first?.agents.list().toArray();
    const agentId = agents?.[0]?.id ?? "";
    const started: string[] = [];
    const pendingExecutions = await race(clients, async (client) => {
      started.push((await client.agents.start(agentId, { input: "go", script: { turns: TURNS } })).id);
    });
    for (const [quota, { made, refused }] of Object.entries({ ...outcomes, pendingExecutions })) {
      expect([quota, made]).toEqual([quota, 6]);
      expect(refused).toHaveLength(12);
      for (const error of refused) expect(error).toMatchObject({ code: "QUOTA_EXCEEDED", quota, limit: 6, used: 6 });
    }
    for (const client of clients) {
      expect(await client.usage.get()).toMatchObject({
        workspaceId: id,
        quotas: { agents: { used: 6 }, secrets: { used: 6 }, pendingExecutions: { limit: 6, used: 6 } },
      });
    }
    // One is cancelled and the others go on to their ends, although the workspace may start nothing.
    await first?.executions.cancel(started[0] ?? "");
    isReleased = true;
    for (const response of held.splice(0)) response.json({ result: 1 });
    const statuses = () => Promise.all(started.map(async (one) => (await first?.executions.get(one))?.status));
    await expect
      .poll(async () => (await statuses()).sort(), { timeout: 10_000 })
      .toEqual(["cancelled", ...Array.from({ length: 5 }, () => "completed")]);
    await expect.poll(async () => (await first?.usage.get())?.quotas["pendingExecutions"]?.used).toBe(0);
  });

  it("of stored bytes are the same on all of them, as the rows say", async () => {
    await openThree();
    const service = await startRawService((response) => void response.json({ result: "r".repeat(5_000) }));
    const { id, clients } = await makeTenant("little-space");
    const agent = await clients[0]?.agents.create({
      name: "agent",
      model: "scripted/turns",
      tools: [toolAt(service.url)],
    });
    const run = (client: Yagate) =>
      client.agents.execute(agent?.id ?? "", { input: "x".repeat(5_000), script: { turns: TURNS } });
    await Promise.all([...clients, ...clients, ...clients].map(run));
    const stored = await recountOf(id);
    expect(stored).toBeGreaterThan(100_000);
    for (const client of clients) {
      await expect
        .poll(async () => (await client.usage.get()).quotas["storedBytes"], { timeout: 20_000 })
        .toMatchObject({ used: stored, limit: 50_000, countedBy: "workspace", asOf: expect.any(String) });
      await expect(run(client)).rejects.toMatchObject({
        code: "QUOTA_EXCEEDED",
        quota: "storedBytes",
        limit: 50_000,
        used: stored,
      });
    }
    expect(await recountOf(id)).toBe(stored);
  }, 60_000);

  it("follow another plan on every replica within two seconds", async () => {
    const [here] = await openThree();
    const { id, clients } = await makeTenant("standard");
    const make = (client: Yagate, n: number) => client.agents.create({ name: `a${n}`, model: "scripted/turns" });
    expect((await race(clients, make)).made).toBe(18);
    await here.client.workspaces.update(id, { plan: "few" });
    for (const client of clients) {
      await expect.poll(() => make(client, 0).catch(({ code }) => code), { timeout: 2_000 }).toBe("QUOTA_EXCEEDED");
    }
  });
});
