import { NO_PROFILES } from "./command.ts";
import { runHere } from "./run-here.ts";

/** Runs `yagate …` in this process, with something on standard input and nothing of this process's environment. */
export async function runWithInput(
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  input = "",
): Promise<{ readonly status: number; readonly output: string }> {
  const { status, output } = await runHere(args, { env: { ...NO_PROFILES, ...env }, input });
  return { status, output };
}
