import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createFollower } from "@yagate/read-models/follower";
import type { Store } from "@yagate/store/port";
import { hasPostgres, startPostgres } from "../../../test/services/postgres.ts";
import { openPostgresStore } from "../../store/src/postgres.ts";
import { openSqliteStore } from "../../store/src/sqlite.ts";
import { compareBlocks, cpuOf, ratesOf, runBlock, type Side } from "../blocks.ts";
import { printSpread, ratioOf } from "../ratio.ts";
import { storeExecution } from "./store-execution.ts";

const ROUNDS = 10;
const WARM_UP_BLOCKS = 1;
const ALIVE_MS = 1_000;
const BLOCK = { operations: 500, concurrency: 16 } as const;

/** Runs blocks while the follower works, and until it has read all of them, so that all of its work is measured. */
function followed(store: Store, owner: string): Side {
  const start = () =>
    createFollower({
      ...{ store: store.readModels, owner, executionRetentionDays: undefined, now: Date.now },
      onError: (failure) => console.error(failure),
    });
  return async (load) => {
    const follower = start();
    follower.start();
    const before = process.cpuUsage();
    const block = await runBlock(() => storeExecution(store, new Date()), load);
    await follower.stop();
    const rest = start();
    while ((await rest.look()) === false);
    const { user, system } = process.cpuUsage(before);
    return { ...block, cpuMs: (user + system) / 1_000 };
  };
}

async function compare(name: string, withModels: Store, without: Store): Promise<void> {
  const blocks = await compareBlocks(
    {
      followed: followed(withModels, "bench"),
      plain: (load) => runBlock(() => storeExecution(without, new Date()), load),
    },
    { rounds: ROUNDS, block: BLOCK, warmUpBlocks: WARM_UP_BLOCKS },
  );
  console.log(`read models, ${name}: with the follower against without it`);
  printSpread("executions per second while it works", ratioOf(ratesOf(blocks.followed), ratesOf(blocks.plain)));
  printSpread(
    "CPU of the process per execution, until all is read",
    ratioOf(cpuOf(blocks.followed), cpuOf(blocks.plain)),
  );
}

/** What the read models cost: stored executions with the follower, as a ratio to those without it. */
export async function benchReadModels(): Promise<void> {
  // The pauses of the follower do not keep a process alive.
  const alive = setInterval(() => {}, ALIVE_MS);
  try {
    await compareStores();
  } finally {
    clearInterval(alive);
  }
}

async function compareStores(): Promise<void> {
  const directories = await Promise.all([1, 2].map(() => mkdtemp(join(tmpdir(), "yagate-bench-"))));
  const [first = "", second = ""] = directories;
  const sqlite = [await openSqliteStore({ dataDir: first }), await openSqliteStore({ dataDir: second })] as const;
  await compare("SQLite", ...sqlite);
  for (const store of sqlite) await store.close();
  for (const directory of directories) await rm(directory, { recursive: true, force: true });
  if (!hasPostgres()) return;
  const server = await startPostgres({ isDurable: true });
  const open = async () => openPostgresStore({ databaseUrl: await server.createDatabase() });
  const postgres = [await open(), await open()] as const;
  await compare("PostgreSQL", ...postgres);
  for (const store of postgres) await store.close();
  await server.stop();
}
