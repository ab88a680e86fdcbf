import { spawn } from "node:child_process";
import { once } from "node:events";
import { onTestFinished } from "vitest";
import { COMPILED, MAIN, NO_PROFILES, PATH } from "./command.ts";
import { runHere } from "./run-here.ts";

/** How a command is run that checks something. */
export interface CheckOptions {
  readonly env?: Readonly<Record<string, string>>;
}

/** What it ended with; its two streams apart. */
export interface Checked {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs `yagate …` in this process, with nothing of its environment. */
export async function runCheck(args: readonly string[], { env = {} }: CheckOptions = {}): Promise<Checked> {
  const { status, stdout, stderr } = await runHere(args, { env: { ...NO_PROFILES, ...env } });
  return { status, stdout, stderr };
}

/** Runs `yagate …` as a process of its own, with input and nothing of this process's environment. */
export async function spawnCheck(
  args: readonly string[],
  { env = {}, cwd, input = "" }: CheckOptions & { readonly cwd?: string; readonly input?: string | Uint8Array } = {},
): Promise<Checked> {
  const { NODE_OPTIONS = "" } = process.env;
  const child = spawn(process.execPath, [MAIN, ...args], {
    stdio: "pipe",
    env: { PATH, NODE_OPTIONS, ...NO_PROFILES, NODE_COMPILE_CACHE: COMPILED, ...env },
    ...(cwd === undefined ? {} : { cwd }),
  });
  const closed = once(child, "close");
  onTestFinished(async () => {
    child.kill("SIGKILL");
    await closed;
  });
  let stdout = "";
  let stderr = "";
  child.stdout.on("data", (data: Buffer) => {
    stdout += data.toString();
  });
  child.stderr.on("data", (data: Buffer) => {
    stderr += data.toString();
  });
  // A command that reads no input may end before it is written.
  child.stdin.on("error", () => {});
  child.stdin.end(input);
  const [status]: (number | null)[] = await closed;
  return { status: status ?? null, stdout, stderr };
}
