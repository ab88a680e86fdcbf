import { runCommands } from "./run-commands.ts";

/** Runs the example once. @returns whether it succeeded. */
export async function run(print: (line: string) => void): Promise<boolean> {
  const { outcomes } = await runCommands(print);
  return outcomes.every(({ exitCode }) => exitCode === 0);
}
