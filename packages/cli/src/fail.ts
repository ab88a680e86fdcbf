import { inspect } from "node:util";
import { ERROR_TABLE, toVisibleText, YagateError } from "@yagate/protocol";
import { messageOf, type OptionNames } from "./wrong-fields.ts";

/** Says what is wrong and what to do, and ends the process: 2 for what the user can correct, 1 for the rest. */
export function fail(error: unknown, options: OptionNames = {}): void {
  if (!YagateError.is(error) || error.code === "INTERNAL") {
    // A defect is told with its stack; its message may be what a server answered.
    console.error(toVisibleText(inspect(error)));
    process.exitCode = 1;
    return;
  }
  // Lines after the first may quote others; indented, none of them looks like a message of its own.
  console.error(toVisibleText(`yagate: ${messageOf(error, options)}`).replaceAll(/\n(?! {2})/g, "\n  "));
  // A code's own hint is for callers of the API; what is particular to this error is for whoever started it.
  if (error.hint !== ERROR_TABLE[error.code].hint) console.error(`\n${toVisibleText(error.hint)}`);
  process.exitCode = 2;
}
