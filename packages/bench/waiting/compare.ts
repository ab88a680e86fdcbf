import { fork } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { format, spreadOf } from "../spread.ts";

/** The driver's measurements of the process that started them. */
export interface MeasuredWaiting {
  readonly executions: number;
  readonly secondsToStart: number;
  /** After a garbage collection, compared with the value before the executions. */
  readonly heapGrowthMiB: number;
  readonly rssGrowthMiB: number;
  /** From the durable approval to the arrival of the call at its handler. */
  readonly toNextStepMs: readonly number[];
}

/** A process that has only opened a store. */
export interface MeasuredOpening {
  readonly openMs: number;
  readonly rssMiB: number;
}

/** Measures executions that wait for a person: the memory that they use, and how soon one resumes. */
export async function benchWaiting(): Promise<void> {
  const [full, empty] = [
    await mkdtemp(join(tmpdir(), "yagate-bench-")),
    await mkdtemp(join(tmpdir(), "yagate-bench-")),
  ];
  try {
    const { executions, ...measured } = await measure<MeasuredWaiting>("start-driver.ts", full);
    const waiting = await measure<MeasuredOpening>("open-driver.ts", full);
    const nothing = await measure<MeasuredOpening>("open-driver.ts", empty);
    const print = (label: string, value: string) => console.log(`  ${label.padEnd(52)} ${value}`);

    console.log(
      `\nWaiting, embedded: ${executions} executions that wait for an approval, Node ${process.versions.node}`,
    );
    print("started and suspended: executions/s", (executions / measured.secondsToStart).toFixed(0));
    print("heap after a collection, MiB more", measured.heapGrowthMiB.toFixed(1));
    print("resident, of the process that started them, MiB more", measured.rssGrowthMiB.toFixed(1));
    print("resident, after a restart, MiB more than with none", (waiting.rssMiB - nothing.rssMiB).toFixed(1));
    print(
      "start over them and over an empty journal, ms",
      `${waiting.openMs.toFixed(0)}, ${nothing.openMs.toFixed(0)}`,
    );
    print("approval to the arrival of the call, ms", format(spreadOf(measured.toNextStepMs), 1));
  } finally {
    await Promise.all([full, empty].map((folder) => rm(folder, { recursive: true, force: true })));
  }
}

async function measure<Measured>(file: string, dataDir: string): Promise<Measured> {
  const child = fork(fileURLToPath(new URL(file, import.meta.url)), [dataDir], {
    execArgv: ["--conditions=@yagate/source", "--expose-gc"],
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
  const measured = await new Promise<Measured>((resolve, reject) => {
    child.once("message", (content) => resolve(content as Measured));
    child.once("exit", (code) => reject(new Error(`a driver ended with ${code} before it had measured anything`)));
  });
  if (child.exitCode === null) await once(child, "exit");
  return measured;
}
