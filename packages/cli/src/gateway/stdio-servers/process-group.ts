import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";

/** Whether processes are started in a group of their own. Windows has no such groups. */
export const HAS_GROUPS = process.platform !== "win32";

const LOOK_MS = 50;

/** Sends a signal to a process and to all that it started; on Windows, to the process alone. */
export function signalGroup(child: ChildProcess, signal: NodeJS.Signals | 0): boolean {
  const { pid } = child;
  if (pid === undefined) return false;
  if (!HAS_GROUPS) return signal !== 0 && child.kill(signal);
  try {
    return process.kill(-pid, signal);
  } catch {
    // Every process of the group has ended.
    return false;
  }
}

/**
 * Asks a group of processes to end, and kills those that are left after a time. Resolves when the first process of the
 * group has ended.
 */
export async function endGroup(child: ChildProcess, graceMs: number): Promise<void> {
  const end = performance.now() + graceMs;
  signalGroup(child, "SIGTERM");
  // The end of a group is no event: its first process may end before the others.
  while ((!hasEnded(child) || (HAS_GROUPS && signalGroup(child, 0))) && performance.now() < end) await sleep(LOOK_MS);
  signalGroup(child, "SIGKILL");
  if (!hasEnded(child)) await once(child, "exit");
}

function hasEnded({ pid, exitCode, signalCode }: ChildProcess): boolean {
  return pid === undefined || exitCode !== null || signalCode !== null;
}
