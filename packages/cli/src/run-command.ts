/** Runs what a command does; what it throws is told on standard error, and the process ends with 1. */
export async function runCommand(command: () => Promise<void>): Promise<void> {
  try {
    await command();
  } catch (error) {
    (await import("./fail.ts")).fail(error);
  }
}
