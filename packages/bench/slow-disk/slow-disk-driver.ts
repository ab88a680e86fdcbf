import { openSqliteStore } from "../../store/src/sqlite.ts";
import { openBenchGateway } from "../bench-gateway.ts";
import type { Measured } from "../driver.ts";
import { type Load, measureFor } from "../measure-for.ts";

/** A gateway whose data directory is on a simulated slow disk. */
export interface SlowDiskTask {
  readonly dataDir: string;
  readonly url: string;
  readonly signingSecret: string;
  readonly load: Load;
  /** The additional delay of each commit, which blocks the event loop as a disk does. */
  readonly syncMs: number;
}

/** The measurements, with the numbers of commits and executions over the lifetime of the process. */
export interface SlowDiskMeasured extends Measured {
  readonly commits: number;
  readonly allExecutions: number;
}

const [text = ""] = process.argv.slice(2);
const { dataDir, url, signingSecret, load, syncMs }: SlowDiskTask = JSON.parse(text);
const clock = new Int32Array(new SharedArrayBuffer(4));
let commits = 0;
let allExecutions = 0;
const beforeCommit = () => {
  commits += 1;
  if (syncMs > 0) Atomics.wait(clock, 0, 0, syncMs);
};
const gateway = await openBenchGateway({ dataDir, signingSecret }, url, () =>
  openSqliteStore({ dataDir, beforeCommit }),
);
const measured = await measureFor(async () => {
  await gateway.execute();
  allExecutions += 1;
}, load);
process.send?.({ ...measured, commits, allExecutions } satisfies SlowDiskMeasured);
await gateway.close();
process.disconnect();
