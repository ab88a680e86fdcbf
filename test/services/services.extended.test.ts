import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { Client } from "pg";
import { createClient } from "redis";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { z } from "zod";
import { accountForRootless, canReach } from "./account.ts";
import { hasPostgres, startPostgres } from "./postgres.ts";
import { findPostgresPrograms, reachablePrograms } from "./postgres-programs.ts";
import { hasRedis, startRedis } from "./redis.ts";
import { createServiceDirectory } from "./service-directory.ts";

/** Long enough for a busy machine. */
const PATIENTLY = { timeout: 40_000 } as const;
const REFUSED = { code: "ECONNREFUSED" };

describe.skipIf(!hasPostgres())("PostgreSQL", () => {
  it("gives each caller a database of its own, and is gone when it was stopped", async () => {
    const server = await startPostgres();
    onTestFinished(() => server.stop());
    const [first, second] = await Promise.all([server.createDatabase(), server.createDatabase()]);
    await askPostgres(first, "CREATE TABLE things (id int)");
    expect(await askPostgres(second, "SELECT to_regclass('things') AS found")).toEqual([{ found: null }]);
    await server.stop();
    await expect(askPostgres(first, "SELECT 1")).rejects.toMatchObject(REFUSED);
  });

  it.skipIf(accountForRootless() === undefined)("runs from a checkout that only root can get to", async () => {
    const account = accountForRootless();
    const closed = await mkdtemp(join(tmpdir(), "yagate-closed-"));
    const directory = await createServiceDirectory("postgres", account);
    onTestFinished(async () => {
      for (const folder of [closed, directory]) await rm(folder, { recursive: true, force: true });
    });
    const run = promisify(execFile);
    await run("cp", ["-R", "-P", findPostgresPrograms() ?? "", join(closed, "native")]);
    expect(canReach(account, join(closed, "native"))).toBe(false);
    const programs = await reachablePrograms(join(closed, "native"), directory, account);
    const { stdout } = await run(join(programs, "bin", "initdb"), ["--version"], { ...account, cwd: directory });
    expect(stdout).toContain("PostgreSQL");
  });
});

describe.skipIf(!hasRedis())("Redis", () => {
  it("answers whoever knows its URL, and is gone when it was stopped", async () => {
    const server = await startRedis();
    onTestFinished(() => server.stop());
    expect(await pingRedis(server.url)).toBe("PONG");
    await expect(pingRedis(server.url.replace(/:[^:@]+@/, ":wrong@"))).rejects.toThrow("WRONGPASS");
    await server.stop();
    await expect(pingRedis(server.url)).rejects.toMatchObject(REFUSED);
  });
});

describe.skipIf(!hasPostgres() || !hasRedis())("the services of a process", () => {
  /** A process that holds services in a folder of its own. */
  async function holdServices() {
    const temporary = await mkdtemp(join(tmpdir(), "yagate-services-"));
    onTestFinished(() => rm(temporary, { recursive: true, force: true }));
    await chmod(temporary, 0o1777);
    const holder = spawn(process.execPath, [fileURLToPath(new URL("hold-services.ts", import.meta.url))], {
      env: { ...process.env, TMPDIR: temporary },
      stdio: ["ignore", "pipe", "inherit"],
    });
    return { temporary, holder };
  }

  it("end with it when it is killed, and leave nothing behind", { timeout: 60_000 }, async () => {
    const { temporary, holder } = await holdServices();
    const [line] = await once(createInterface(holder.stdout), "line");
    const { postgres, redis } = z.object({ postgres: z.string(), redis: z.string() }).parse(JSON.parse(line));
    expect(await askPostgres(postgres, "SELECT 1 AS one")).toEqual([{ one: 1 }]);
    expect(await pingRedis(redis)).toBe("PONG");
    expect(await readdir(temporary)).toHaveLength(2);
    holder.kill("SIGKILL");
    await vi.waitFor(async () => expect(await readdir(temporary)).toEqual([]), PATIENTLY);
    expect(await processesIn(temporary)).toEqual([]);
    await expect(askPostgres(postgres, "SELECT 1")).rejects.toMatchObject(REFUSED);
    await expect(pingRedis(redis)).rejects.toMatchObject(REFUSED);
  });

  it.runIf(process.platform === "linux")(
    "end with it when it is killed while they start",
    { timeout: 120_000 },
    async () => {
      const { temporary, holder } = await holdServices();
      const isAtWork = async () => (await processesIn(temporary)).some((command) => command.includes("initdb"));
      await vi.waitUntil(isAtWork, { ...PATIENTLY, interval: 5 });
      holder.kill("SIGKILL");
      await vi.waitFor(async () => expect(await readdir(temporary)).toEqual([]), PATIENTLY);
      expect(await processesIn(temporary)).toEqual([]);
    },
  );
});

/** The command lines of processes that name a folder; none where the system can't say. */
async function processesIn(folder: string): Promise<readonly string[]> {
  const pids = (await readdir("/proc").catch(() => [])).filter((name) => /^\d+$/.test(name));
  const commands = pids.map((pid) => readFile(`/proc/${pid}/cmdline`, "utf8").catch(() => ""));
  return (await Promise.all(commands)).filter((command) => command.includes(folder));
}

async function askPostgres(connectionString: string, statement: string): Promise<unknown[]> {
  const client = new Client({ connectionString });
  await client.connect();
  try {
    return (await client.query(statement)).rows;
  } finally {
    await client.end();
  }
}

async function pingRedis(url: string): Promise<string> {
  const client = createClient({ url, socket: { reconnectStrategy: false } });
  client.on("error", () => {});
  await client.connect();
  try {
    return await client.ping();
  } finally {
    client.destroy();
  }
}
