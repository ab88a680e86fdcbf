import { YagateError } from "@yagate/protocol";

/** Says what is wrong and what to do, and ends the process: 2 for what the user can correct, 1 for the rest. */
export function fail(error: unknown): void {
  if (YagateError.is(error)) {
    console.error(`yagate: ${error.message}`);
    console.error(`  ${error.hint}`);
    process.exitCode = error.code === "INTERNAL" ? 1 : 2;
    return;
  }
  console.error(error);
  process.exitCode = 1;
}
