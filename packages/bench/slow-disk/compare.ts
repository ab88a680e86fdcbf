import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { messageOf, runDriver, startDriver } from "../driver.ts";
import { format, spreadOf } from "../spread.ts";
import type { SlowDiskMeasured, SlowDiskTask } from "./slow-disk-driver.ts";

const ROUNDS = 5;
const SYNC_MS = 5;
/** Here a sync takes no time of its own, so that the delay is all of it. */
const MEMORY = "/dev/shm";
const LOAD = { concurrency: 50, warmUpMs: 2_000, measuredMs: 4_000, atLeast: 2_000 };

interface Round {
  readonly slow: SlowDiskMeasured;
  readonly asItIs: SlowDiskMeasured;
}

/** Embedded executions on a disk that takes 5 ms for every commit, and on this machine's own. */
export async function benchSlowDisk(): Promise<void> {
  const webhook = startDriver(new URL("../execution/webhook-server.ts", import.meta.url));
  const { url, secret: signingSecret } = await messageOf<{ url: string; secret: string }>(webhook);
  const rounds: Round[] = [];
  const memory = existsSync(MEMORY) ? MEMORY : tmpdir();
  const run = async (parent: string, syncMs: number) => {
    const dataDir = await mkdtemp(join(parent, "yagate-bench-"));
    try {
      const task: SlowDiskTask = { dataDir, url, signingSecret, load: LOAD, syncMs };
      return await runDriver<SlowDiskMeasured>(new URL("slow-disk-driver.ts", import.meta.url), [JSON.stringify(task)]);
    } finally {
      await rm(dataDir, { recursive: true, force: true });
    }
  };
  try {
    for (let round = 0; round < ROUNDS; round += 1) {
      rounds.push({ slow: await run(memory, SYNC_MS), asItIs: await run(tmpdir(), 0) });
    }
  } finally {
    webhook.kill();
  }

  const print = (label: string, figure: (round: Round) => number, digits?: number) =>
    console.log(`  ${label.padEnd(58)} ${format(spreadOf(rounds.map(figure)), digits)}`);
  const rate = (of: SlowDiskMeasured) => of.executions / of.seconds;
  const perCommit = (of: SlowDiskMeasured) => of.allExecutions / of.commits;
  const setting = `${LOAD.concurrency} at once, Node ${process.versions.node}, ${ROUNDS} alternated rounds`;
  console.log(`\nExecution, embedded, a disk that takes ${SYNC_MS} ms a sync, ${setting}`);
  print("slow disk: executions/s (goal: at least 1000)", ({ slow }) => rate(slow), 0);
  print("slow disk: executions a commit", ({ slow }) => perCommit(slow));
  print("slow disk: CPU-ms an execution", ({ slow }) => slow.cpuMs / slow.executions, 3);
  print("this disk: executions/s", ({ asItIs }) => rate(asItIs), 0);
  print("this disk: executions a commit", ({ asItIs }) => perCommit(asItIs));
  print("this disk: CPU-ms an execution", ({ asItIs }) => asItIs.cpuMs / asItIs.executions, 3);
}
