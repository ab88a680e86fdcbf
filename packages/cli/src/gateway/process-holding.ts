import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import { programName } from "./program-name.ts";

/** A process of this machine. */
export interface OtherProcess {
  readonly pid: number;
  /** A name for it that people recognise. */
  readonly name: string;
}

/**
 * Finds a process that has a file or a socket open. Linux reveals the user's own processes.
 *
 * @param target - an absolute path without symbolic links, or `socket:[<inode>]`.
 * @returns undefined if the system does not reveal one.
 */
export function processHolding(target: string): OtherProcess | undefined {
  try {
    const pids = readdirSync("/proc").filter((name) => /^\d+$/.test(name) && name !== String(process.pid));
    const pid = pids.find((one) => holds(one, target));
    if (pid === undefined) return undefined;
    return { pid: Number(pid), name: programName(readFileSync(`/proc/${pid}/cmdline`, "utf8")) };
  } catch {
    // There is no /proc, or the process has ended in the meantime.
    return undefined;
  }
}

function holds(pid: string, target: string): boolean {
  try {
    return readdirSync(`/proc/${pid}/fd`).some((fd) => linkOf(`/proc/${pid}/fd/${fd}`) === target);
  } catch {
    return false;
  }
}

function linkOf(path: string): string | undefined {
  try {
    return readlinkSync(path);
  } catch {
    return undefined;
  }
}
