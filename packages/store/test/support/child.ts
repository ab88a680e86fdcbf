import { type ChildProcess, spawn } from "node:child_process";
import { fileURLToPath } from "node:url";

/** Runs a script of this folder with the Node of this process; `NODE_OPTIONS` lets it import sources. */
export function startChild(script: string, ...values: readonly string[]): ChildProcess {
  const path = fileURLToPath(new URL(script, import.meta.url));
  return spawn(process.execPath, [path, ...values], { stdio: ["ignore", "pipe", "inherit"] });
}
