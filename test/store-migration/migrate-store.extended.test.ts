import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { Yagate } from "@yagate/client";
import { completeToolCall } from "@yagate/handler/callback";
import { verifyReceipt } from "@yagate/protocol";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { execute } from "../../packages/store/test/support/execute.ts";
import { repositoryRoot } from "../../scripts/repository-root.ts";
import { GatewayProcess } from "../crash/gateway-process.ts";
import { storedEventsOf } from "../crash/stored-events.ts";
import { brokenExecutionRules } from "../crash/verdict.ts";
import { hasPostgres, type PostgresServer, startPostgres } from "../services/postgres.ts";
import { openWaitingWorld } from "./waiting-world.ts";

const MAIN = join(repositoryRoot, "packages", "cli", "src", "main.ts");
const MASTER_KEYS = `k1:${Buffer.from("the crash tests, own master key!").toString("base64")}`;
const AT_ONCE = 16;
const SAMPLED_RECEIPTS = 200;

/** `yagate migrate-store` as a process of its own. @param killAt - text on standard error at which it is killed. */
async function migrateStore(dataDir: string, databaseUrl: string, killAt?: RegExp) {
  const { PATH = "", NODE_OPTIONS = "" } = process.env;
  const args = [MAIN, "migrate-store", "--from", dataDir, "--json"];
  const env = { PATH, NODE_OPTIONS, DATABASE_URL: databaseUrl, YAGATE_MASTER_KEYS: MASTER_KEYS };
  const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "pipe"], env });
  let [output, errors] = ["", ""];
  child.stdout.on("data", (data: Buffer) => {
    output += data.toString();
  });
  child.stderr.on("data", (data: Buffer) => {
    errors += data.toString();
    if (killAt?.test(errors)) child.kill("SIGKILL");
  });
  const [status, signal] = await once(child, "close");
  return { status: status ?? signal, output, errors };
}

async function forEach<Item>(items: readonly Item[], work: (item: Item) => Promise<unknown>): Promise<void> {
  const left = [...items];
  const worker = async () => {
    for (let item = left.pop(); item !== undefined; item = left.pop()) await work(item);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
}

/** Every table of a database, in one order. */
async function dump(databaseUrl: string): Promise<unknown> {
  const tables = await execute<{ name: string }>(
    databaseUrl,
    "SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public' AND tablename <> 'yagate_migrations' ORDER BY 1",
  );
  return Promise.all(
    tables.map(async ({ name }) => [
      name,
      await execute(databaseUrl, `SELECT * FROM ${name} t ORDER BY t::text COLLATE "C"`),
    ]),
  );
}

describe.skipIf(!hasPostgres())("yagate migrate-store", () => {
  let server: PostgresServer;
  beforeAll(async () => {
    server = await startPostgres();
  });
  afterAll(() => server?.stop());

  it.each([
    { completed: 54, waiting: 12 },
    { completed: 9_000, waiting: 1_000 },
  ])(
    "moves $completed ended executions and $waiting that wait, which end on PostgreSQL",
    {
      timeout: 1_500_000,
    },
    async ({ completed, waiting }) => {
      const source = await GatewayProcess.prepare();
      await source.start();
      const world = await openWaitingWorld(source);
      const ended = await world.complete(completed);
      const ids = await world.wait(waiting);
      const waits = [...ids.approval, ...ids.callback, ...ids.retry];
      expect(waits).toHaveLength(waiting);

      const databaseUrl = await server.createDatabase();
      const early = await migrateStore(source.dataDir, databaseUrl);
      expect(early).toMatchObject({ status: 2, errors: expect.stringContaining("is used by") });
      expect(await source.end("SIGTERM")).toBe(0);
      const startedAt = performance.now();
      const { status, output, errors } = await migrateStore(source.dataDir, databaseUrl);
      const tookMs = Math.round(performance.now() - startedAt);
      expect([status, errors]).toEqual([0, expect.stringContaining("rows compared")]);
      const report = JSON.parse(output);
      const executions = completed + waiting;
      expect(report).toMatchObject({
        ...{ outcome: "moved", executions, unfinished: waiting, changedRecords: 0, differences: [] },
      });
      process.stdout.write(`\n${JSON.stringify({ executions, rows: report.rows, tookMs })}\n`);
      for (const text of [output, errors]) expect(text).not.toContain(new URL(databaseUrl).password);

      const environment = { DATABASE_URL: databaseUrl, YAGATE_SIGNING_SECRET: source.signingSecret };
      const target = await GatewayProcess.prepare(environment);
      world.recover();
      await target.start();
      const used = await migrateStore(source.dataDir, databaseUrl);
      expect(used).toMatchObject({ status: 2, errors: expect.stringContaining("no gateway to use the target") });
      const { client } = target;
      const { key } = await client.apiKeys.create({ name: "lead", scopes: ["approvals"] });
      const lead = new Yagate({ baseUrl: target.url, apiKey: key });
      await forEach(await lead.approvals.list({ status: "pending", limit: 200 }).toArray(), ({ id }) =>
        lead.approvals.approve(id),
      );
      await forEach(world.callbacks, (callback) => {
        const moved = { ...callback, url: callback.url.replace(source.url, target.url) };
        return completeToolCall(moved, { result: "done" }, { secrets: source.signingSecret });
      });
      const unfinished = async () =>
        (
          await execute<{ count: number }>(
            databaseUrl,
            "SELECT count(*)::integer AS count FROM executions WHERE is_open = 1",
          )
        )[0]?.count;
      await expect.poll(unfinished, { timeout: 600_000, interval: 500 }).toBe(0);
      expect((await client.executions.list({ status: "completed", limit: 200 }).toArray()).length).toBe(executions);

      const storedEvents = await storedEventsOf(databaseUrl, waits);
      expect([...storedEvents].flatMap(([id, events]) => brokenExecutionRules(id, events))).toEqual([]);
      // The service counts what it was asked to do: nothing that had been done was done again.
      const { approval, callback, retry } = ids;
      expect(world.results).toEqual({
        ...{ plain: completed, approval: approval.length, callback: callback.length, retry: retry.length },
      });
      const keySets = new Map<string, unknown>();
      const step = Math.ceil(ended.length / SAMPLED_RECEIPTS);
      await forEach([...waits, ...ended.filter((_, index) => index % step === 0)], async (id) => {
        const receipt = await client.executions.receipt(id);
        const { workspaceId } = receipt;
        if (!keySets.has(workspaceId)) {
          const response = await fetch(`${target.url}/.well-known/jwks/${workspaceId}.json`);
          keySets.set(workspaceId, await response.json());
        }
        expect(receipt).toMatchObject({ executionId: id, verified: true, isFinal: true });
        expect(await verifyReceipt(receipt, keySets.get(workspaceId))).toMatchObject({ verified: true });
      });
      expect(target.defects).toEqual([]);
    },
  );

  it("continues after kill -9, and the result is the same", { timeout: 600_000 }, async () => {
    const source = await GatewayProcess.prepare();
    await source.start();
    const world = await openWaitingWorld(source);
    await world.complete(600);
    await world.wait(9);
    expect(await source.end("SIGTERM")).toBe(0);
    const [whole, killed] = [await server.createDatabase(), await server.createDatabase()];
    expect(await migrateStore(source.dataDir, whole)).toMatchObject({ status: 0 });
    for (const when of [/rows copied/, /rows copied/, /rows copied/, /rows compared/, /receipts compared/]) {
      const { status, errors } = await migrateStore(source.dataDir, killed, when);
      expect([status, errors]).toEqual(["SIGKILL", expect.stringMatching(when)]);
    }
    const gateway = await GatewayProcess.prepare({ DATABASE_URL: killed });
    await expect(gateway.start()).rejects.toThrow("has not finished");
    const last = await migrateStore(source.dataDir, killed);
    expect(last.status).toBe(0);
    expect(JSON.parse(last.output)).toMatchObject({ outcome: "resumed", differences: [] });
    expect(await dump(killed)).toEqual(await dump(whole));
    const again = await migrateStore(source.dataDir, killed);
    expect([again.status, JSON.parse(again.output)]).toEqual([
      0,
      expect.objectContaining({ outcome: "already_moved" }),
    ]);
  });
});
