/** Runs what a command does; what it throws is told, and the process ends as `fail` says. */
export async function runCommand(command: () => Promise<void>): Promise<void> {
  try {
    await command();
  } catch (error) {
    (await import("./fail.ts")).fail(error);
  }
}
