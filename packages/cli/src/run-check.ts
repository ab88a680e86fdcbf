import type { Command } from "commander";

/** Exit status of a check that could not be made: 1 says that it was made, and failed. */
const NOT_MADE = 2;

/** Runs a command that checks something; whatever keeps it from being made ends with status 2, a defect too. */
export async function runCheck(command: () => Promise<void>): Promise<void> {
  try {
    await command();
  } catch (error) {
    (await import("./fail.ts")).fail(error);
    process.exitCode = NOT_MADE;
  }
}

/** Keeps the message of a wrong command line of a check in sight: its help is long. */
export function keepErrorInSight(command: Command): Command {
  return command.showHelpAfterError(`(yagate ${command.name()} --help says more)`);
}
