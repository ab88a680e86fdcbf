import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { GCProfiler, getHeapStatistics } from "node:v8";
import { openStore } from "@yagate/store/open-store";
import { openBenchGateway } from "../bench-gateway.ts";
import { runBlock } from "../blocks.ts";
import { createLoop } from "../execution/ai-sdk-loop.ts";
import { spreadOf } from "../spread.ts";
import type { Counts } from "./measure-counts.ts";
import { openSqliteLog } from "./sqlite-log.ts";
import { type Tally, tallyOf } from "./tally.ts";

/** Compiled code allocates less than interpreted code. */
const WARM_UP = { operations: 300, concurrency: 16 };
/** Few enough that SQLite starts no automatic checkpoint, which would reuse the start of its log. */
const BLOCK = { operations: 48, concurrency: 16 };
const BLOCKS = 3;
const ONE_BY_ONE = 25;

const [side, url, signingSecret] = process.argv.slice(2);
if (url === undefined || signingSecret === undefined) throw new Error("expected the webhook's URL and a secret");
const dataDir = await mkdtemp(join(tmpdir(), "yagate-bench-"));
const log = side === "yagate" ? openSqliteLog(dataDir) : { empty() {}, size: async () => 0 };
const measured = await open(url, signingSecret);
await runBlock(measured.execute, WARM_UP);
process.send?.(await count());
await measured.close();
await rm(dataDir, { recursive: true, force: true });
process.disconnect();

async function open(webhookUrl: string, secret: string) {
  if (side === "yagate") return openBenchGateway({ dataDir, signingSecret: secret }, webhookUrl, openWithoutBackground);
  return { ...createLoop(webhookUrl, { isTuned: side === "tuned" }), close: async () => {} };
}

/**
 * The store, without the work that the clock starts: it neither sums stored bytes nor keeps read models up to date. How
 * often that happens during an execution depends on the machine. `follower-driver.ts` counts what the read models take.
 */
async function openWithoutBackground(): ReturnType<typeof openStore> {
  const store = await openStore({ dataDir, databaseUrl: undefined });
  return {
    ...store,
    storedBytes: { ...store.storedBytes, advance: async () => true },
    readModels: { ...store.readModels, claim: async () => false },
  };
}

async function count(): Promise<Counts> {
  const [allocated, logged]: [number[], number[]] = [[], []];
  for (let index = 0; index < BLOCKS; index += 1) {
    const block = await measureBlock();
    allocated.push(block.allocatedBytes / BLOCK.operations);
    logged.push(block.loggedBytes / BLOCK.operations);
  }
  log.empty();
  const tallies: Tally[] = [];
  for (let index = 0; index < ONE_BY_ONE; index += 1) tallies.push(await tallyOf(measured.execute));
  const median = (name: keyof Tally) => spreadOf(tallies.map((tally) => tally[name])).median;
  return {
    promises: median("promises"),
    allocatedBytes: spreadOf(allocated).median,
    boundBytes: median("boundBytes"),
    loggedBytes: spreadOf(logged).median,
    loggedBytesAlone: (await log.size()) / ONE_BY_ONE,
    statements: median("statements"),
    commits: median("commits"),
    sha256: median("sha256"),
    hmacs: median("hmacs"),
    abortControllers: median("abortControllers"),
    timers: median("timers"),
  };
}

async function measureBlock() {
  log.empty();
  globalThis.gc?.();
  const collections = new GCProfiler();
  collections.start();
  const before = getHeapStatistics().used_heap_size;
  await runBlock(measured.execute, BLOCK);
  const allocatedBytes = getHeapStatistics().used_heap_size - before;
  if (collections.stop().statistics.length > 0)
    throw new Error("expected no garbage collection while memory is measured");
  return { allocatedBytes, loggedBytes: await log.size() };
}
