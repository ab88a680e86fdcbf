import { spawn } from "node:child_process";
import { once } from "node:events";
import { onTestFinished } from "vitest";
import { COMPILED, MAIN, NO_PROFILES } from "./command.ts";

/** Runs `yagate …` to its end with something on standard input. */
export async function runWithInput(
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  input = "",
): Promise<{ readonly status: number | null; readonly output: string }> {
  const { PATH = "", NODE_OPTIONS = "" } = process.env;
  const child = spawn(process.execPath, [MAIN, ...args], {
    env: { PATH, NODE_OPTIONS, ...NO_PROFILES, NODE_COMPILE_CACHE: COMPILED, ...env },
  });
  onTestFinished(() => {
    child.kill("SIGKILL");
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (text: string) => {
      output += text;
    });
  }
  child.stdin.end(input);
  const [status] = await once(child, "close");
  return { status, output };
}
