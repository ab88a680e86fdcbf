import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { messageOf, runDriver, startDriver } from "../driver.ts";
import { printSpread } from "../ratio.ts";
import { spreadOf } from "../spread.ts";
import type { SlowDiskMeasured, SlowDiskTask } from "./slow-disk-driver.ts";

const ROUNDS = 5;
const SYNC_MS = [1, 2, 5];
/** A sync takes no time here, so the delay is the only cost. */
const MEMORY = "/dev/shm";
const LOAD = { concurrency: 50, warmUpMs: 2_000, measuredMs: 4_000, atLeast: 2_000 };

/** Embedded executions on disks that take 1, 2 and 5 ms for every commit, and on this machine's own. */
export async function benchSlowDisk(): Promise<void> {
  const webhook = startDriver(new URL("../execution/webhook-server.ts", import.meta.url));
  const { url, secret: signingSecret } = await messageOf<{ url: string; secret: string }>(webhook);
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
  const disks = [
    ...SYNC_MS.map((syncMs) => ({ label: `${syncMs} ms a sync`, parent: memory, syncMs })),
    { label: "this disk", parent: tmpdir(), syncMs: 0 },
  ].map((disk) => ({ ...disk, measured: [] as SlowDiskMeasured[] }));
  try {
    for (let round = 0; round < ROUNDS; round += 1) {
      for (const { parent, syncMs, measured } of disks) measured.push(await run(parent, syncMs));
    }
  } finally {
    webhook.kill();
  }

  const setting = `${LOAD.concurrency} at once, Node ${process.versions.node}, ${ROUNDS} alternated rounds`;
  console.log(`\nExecution, embedded, on disks that take a fixed time for a sync, ${setting}`);
  for (const { label, syncMs, measured } of disks) {
    const print = (what: string, figure: (of: SlowDiskMeasured) => number, digits?: number) =>
      printSpread(`${label}: ${what}`, spreadOf(measured.map(figure)), digits);
    const goal = syncMs === 5 ? " (goal: at least 1000)" : "";
    print(`executions/s${goal}`, ({ executions, seconds }) => executions / seconds, 0);
    print("executions a commit", ({ allExecutions, commits }) => allExecutions / commits);
    print("CPU-ms an execution", ({ cpuMs, executions }) => cpuMs / executions, 3);
  }
}
