import type { OptionNames } from "./wrong-fields.ts";

/**
 * Runs what a command does; what it throws is told, and the process ends as `fail` says.
 *
 * @param options - how errors name the fields of the API. Default: as the API does.
 */
export async function runCommand(command: () => Promise<void>, options: OptionNames = {}): Promise<void> {
  try {
    await command();
  } catch (error) {
    (await import("./fail.ts")).fail(error, options);
  }
}
