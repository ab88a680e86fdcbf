import type { Measured } from "../driver.ts";

const WARM_UP = 2_000;
const MEASURED = 4_000;
const CONCURRENCY = 16;

/** Runs `execute` 16 at once, first to warm up, then measured: wall time, and CPU time of this process. */
export async function measure(execute: () => Promise<void>): Promise<Measured> {
  await repeat(execute, WARM_UP);
  const cpuBefore = process.cpuUsage();
  const before = performance.now();
  await repeat(execute, MEASURED);
  const seconds = (performance.now() - before) / 1_000;
  const cpu = process.cpuUsage(cpuBefore);
  return { executions: MEASURED, seconds, cpuMs: (cpu.user + cpu.system) / 1_000 };
}

async function repeat(execute: () => Promise<void>, times: number): Promise<void> {
  let left = times;
  const worker = async () => {
    while (left > 0) {
      left -= 1;
      await execute();
    }
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, worker));
}
