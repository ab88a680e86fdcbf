import { randomBytes } from "node:crypto";
import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { findProgram } from "./find-program.ts";
import { onFreePort } from "./free-port.ts";
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

/** Starts a real Redis in memory on a free port of this machine. It ends with this process at the latest. */
export async function startRedis(): Promise<RedisServer> {
  const program = findRedis();
  if (program === undefined) throw new Error("expected redis-server: ask hasRedis() first");
  return onFreePort((port) => start(program, port));
}

async function start(program: string, port: number): Promise<RedisServer> {
  const directory = await createServiceDirectory("redis", undefined);
  try {
    const password = randomBytes(16).toString("hex");
    const settings = ["bind 127.0.0.1", `port ${port}`, `requirepass ${password}`, 'save ""', "appendonly no"];
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
