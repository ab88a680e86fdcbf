import { setTimeout as sleep } from "node:timers/promises";
import type { Measured } from "./driver.ts";

/** How many at once, and for how long. */
export interface Load {
  readonly concurrency: number;
  readonly warmUpMs: number;
  readonly measuredMs: number;
  /**
   * Minimum number of executions in each part, however busy the machine is, because code is compiled by use, not by
   * time.
   */
  readonly atLeast: number;
}

const LOOK_EVERY_MS = 10;

/** Runs `execute` again and again, first to warm up, then measured: wall time, and CPU time of this process. */
export async function measureFor(execute: () => Promise<void>, load: Load): Promise<Measured> {
  let ended = 0;
  let isOver = false;
  const worker = async () => {
    while (!isOver) {
      await execute();
      ended += 1;
    }
  };
  const part = async (ms: number) => {
    const end = performance.now() + ms;
    const goal = ended + load.atLeast;
    while (performance.now() < end || ended < goal) await sleep(LOOK_EVERY_MS);
  };
  const measured = async () => {
    await part(load.warmUpMs);
    const before = { ended, at: performance.now(), cpu: process.cpuUsage() };
    await part(load.measuredMs);
    const { user, system } = process.cpuUsage(before.cpu);
    const seconds = (performance.now() - before.at) / 1_000;
    isOver = true;
    return { executions: ended - before.ended, seconds, cpuMs: (user + system) / 1_000 };
  };
  const workers = Promise.all(Array.from({ length: load.concurrency }, worker));
  const [result] = await Promise.all([measured(), workers]);
  return result;
}
