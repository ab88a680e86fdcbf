import { type Counts, measureCounts } from "./measure-counts.ts";

const KB = 1_024;

interface Row {
  readonly label: string;
  readonly goal: number | undefined;
  readonly unit?: number;
}

/** One row per count. The goals of bytes are in KB. */
const ROWS: Readonly<Record<keyof Counts, Row>> = {
  promises: { label: "promises", goal: 120 },
  allocatedBytes: { label: "allocated, KB", goal: 100, unit: KB },
  boundBytes: { label: "bound by SQL statements, KB", goal: undefined, unit: KB },
  loggedBytes: { label: "written to SQLite's log, 16 at once, KB", goal: 16, unit: KB },
  loggedBytesAlone: { label: "written to SQLite's log, one by one, KB", goal: undefined, unit: KB },
  statements: { label: "SQL statements except BEGIN and COMMIT", goal: 7 },
  commits: { label: "commits, one by one", goal: 3 },
  sha256: { label: "SHA-256", goal: 4 },
  hmacs: { label: "HMAC", goal: 4 },
  abortControllers: { label: "AbortControllers", goal: 3 },
  timers: { label: "timers", goal: 2 },
};

/**
 * Counts what one warm execution takes, compared with the AI SDK's loop in memory. A busy machine does not change these
 * counts.
 */
export async function benchCounts(): Promise<void> {
  const ours = await measureCounts("yagate");
  const usual = await measureCounts("usual");
  const tuned = await measureCounts("tuned");
  console.log(`\nCounts of one warm execution with two model turns and one call, Node ${process.versions.node}`);
  print("", ["Yagate", "goal", "AI SDK", "tuned AI SDK"]);
  for (const name of Object.keys(ROWS) as (keyof Counts)[]) {
    const { label, goal, unit = 1 } = ROWS[name];
    const figures = [ours, usual, tuned].map((counts) => (counts[name] / unit).toFixed(unit === 1 ? 0 : 1));
    const [first = "", ...others] = figures;
    print(label, [first, goal?.toString() ?? "", ...others]);
  }
}

function print(label: string, cells: readonly string[]): void {
  console.log(`  ${label.padEnd(44)}${cells.map((cell) => cell.padStart(14)).join("")}`);
}
