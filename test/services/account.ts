import { execFileSync, spawnSync } from "node:child_process";

/** Whose rights a process has. */
export interface Account {
  readonly uid: number;
  readonly gid: number;
}

/** For programs that refuse to run as root: the account that every system has for such things, when we are root. */
export function accountForRootless(): Account | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const id = (flag: string) => Number(execFileSync("id", [flag, "nobody"], { encoding: "utf8" }));
  return { uid: id("-u"), gid: id("-g") };
}

/** Whether an account can read and enter a file or folder: every folder above it counts too. */
export function canReach(account: Account | undefined, path: string): boolean {
  const { status } = spawnSync("/bin/sh", ["-c", 'test -r "$0" && test -x "$0"', path], { ...account, cwd: "/" });
  return status === 0;
}
