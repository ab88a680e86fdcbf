import { runCommands } from "./run-commands.ts";

/** Runs the story once. @returns whether it went well. */
export async function run(print: (line: string) => void): Promise<boolean> {
  const { outcomes } = await runCommands(print);
  return outcomes.every(({ exitCode }) => exitCode === 0);
}
