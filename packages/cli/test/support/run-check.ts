import { spawn } from "node:child_process";
import { once } from "node:events";
import { onTestFinished, vi } from "vitest";
import { runProgram } from "../../src/program.ts";
import { COMPILED, MAIN, NO_PROFILES } from "./command.ts";

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

/** Runs `yagate …` in this process: a process of its own for each of some hundred runs would take minutes. */
export async function runCheck(args: readonly string[], { env = {} }: CheckOptions = {}): Promise<Checked> {
  const streams = { log: "", error: "" };
  for (const name of ["log", "error"] as const) {
    vi.spyOn(console, name).mockImplementation((text: string) => {
      streams[name] += `${text}\n`;
    });
  }
  const cleared = ["YAGATE_SIGNING_SECRET", "YAGATE_BASE_URL", "YAGATE_API_KEY", "YAGATE_PROFILE", "YAGATE_DOCS_URL"];
  for (const name of cleared) vi.stubEnv(name, undefined);
  vi.stubEnv("XDG_CONFIG_HOME", NO_PROFILES.XDG_CONFIG_HOME);
  for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value);
  try {
    await runProgram(args);
    return { status: Number(process.exitCode ?? 0), stdout: streams.log, stderr: streams.error };
  } finally {
    process.exitCode = undefined;
    vi.restoreAllMocks();
    vi.unstubAllEnvs();
  }
}

/** Runs `yagate …` as a process of its own, with input and nothing of this process's environment. */
export async function spawnCheck(
  args: readonly string[],
  { env = {}, cwd, input = "" }: CheckOptions & { readonly cwd?: string; readonly input?: string | Uint8Array } = {},
): Promise<Checked> {
  const { PATH = "", NODE_OPTIONS = "" } = process.env;
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
