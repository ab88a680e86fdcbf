import { setTimeout as sleep } from "node:timers/promises";
import type { Measured } from "./driver.ts";

/** How many at once, and for how long. */
export interface Load {
  readonly concurrency: number;
  readonly warmUpMs: number;
  readonly measuredMs: number;
}

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
  const workers = Promise.all(Array.from({ length: load.concurrency }, worker));
  const measured = async () => {
    await sleep(load.warmUpMs);
    const before = { ended, at: performance.now(), cpu: process.cpuUsage() };
    await sleep(load.measuredMs);
    const { user, system } = process.cpuUsage(before.cpu);
    const seconds = (performance.now() - before.at) / 1_000;
    isOver = true;
    return { executions: ended - before.ended, seconds, cpuMs: (user + system) / 1_000 };
  };
  const [result] = await Promise.all([measured(), workers]);
  return result;
}
