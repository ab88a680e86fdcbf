import { readFileSync } from "node:fs";

/** The kernel counts CPU time in hundredths of a second. */
export const TICK_MS = 10;

/** What Linux knows of a process. Ticks are CPU time. */
export interface ProcessStat {
  readonly parent: number;
  readonly ownTicks: number;
  /** Of its children that have ended, and of theirs. */
  readonly endedChildrenTicks: number;
}

/** Returns undefined if the process has ended. */
export function statOf(pid: number): ProcessStat | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, "utf8");
    // The name, in brackets, may hold spaces.
    const fields = text
      .slice(text.lastIndexOf(")") + 2)
      .split(" ")
      .map(Number);
    const at = (index: number) => fields[index] ?? 0;
    return { parent: at(1), ownTicks: at(11) + at(12), endedChildrenTicks: at(13) + at(14) };
  } catch {
    return undefined;
  }
}
