import { randomBytes } from "node:crypto";
import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { createClient } from "redis";
import { findProgram } from "./find-program.ts";
import { freePort } from "./free-port.ts";
import { missingService } from "./missing-service.ts";
import { createServiceDirectory } from "./service-directory.ts";
import { startWatched } from "./watched-process.ts";

/** A Redis server of the test's own, empty at the start. */
export interface RedisServer {
  readonly url: string;
  /** Resolves when the server is gone. */
  stop(): Promise<void>;
}

/** Whether {@link startRedis} can; when not, what to install has been said. Throws in its place with `CI=true`. */
export function hasRedis(): boolean {
  return findRedis() !== undefined || (missingService("redis-server") ?? false);
}

/** Options of {@link startRedis}. */
interface RedisServerOptions {
  /** Whether it is a cluster, of itself alone: it serves every slot, and refuses what no cluster takes. */
  readonly isCluster?: boolean;
}

/** Starts a real Redis in memory on a free port of this machine. It ends with this process at the latest. */
export async function startRedis({ isCluster = false }: RedisServerOptions = {}): Promise<RedisServer> {
  const program = findRedis();
  if (program === undefined) throw new Error("expected redis-server: ask hasRedis() first");
  const port = await freePort();
  if (!isCluster) return start(program, port, []);
  const announced = ["cluster-announce-ip 127.0.0.1", `cluster-announce-port ${port}`];
  const settings = ["cluster-enabled yes", `cluster-port ${await freePort()}`, ...announced];
  const server = await start(program, port, settings);
  await serveEverySlot(server.url);
  return server;
}

async function serveEverySlot(url: string): Promise<void> {
  const client = createClient({ url });
  await client.connect();
  try {
    await client.sendCommand(["CLUSTER", "ADDSLOTSRANGE", "0", "16383"]);
    while (!(await client.sendCommand(["CLUSTER", "INFO"]))?.toString().includes("cluster_state:ok")) {
      // It says so within a tenth of a second.
      await setTimeout(10);
    }
  } finally {
    client.destroy();
  }
}

async function start(program: string, port: number, more: readonly string[]): Promise<RedisServer> {
  const directory = await createServiceDirectory("redis", undefined);
  try {
    const password = randomBytes(16).toString("hex");
    const settings = ["bind 127.0.0.1", `port ${port}`, `requirepass ${password}`, 'save ""', "appendonly no", ...more];
    const file = join(directory, "redis.conf");
    await writeFile(file, `${settings.join("\n")}\n`, { mode: 0o600 });
    const server = await startWatched({
      command: [program, file],
      directory,
      account: undefined,
      readyText: "Ready to accept connections",
      endSignal: "TERM",
    });
    return { url: `redis://:${password}@127.0.0.1:${port}`, stop: () => server.stop() };
  } catch (error) {
    await rm(directory, { recursive: true, force: true });
    throw error;
  }
}

function findRedis(): string | undefined {
  return findProgram(["redis-server"]);
}
