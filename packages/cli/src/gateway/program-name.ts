import { basename } from "node:path";

const LONG_OPTION_WITH_VALUE = /^--[^=]+=/;

/**
 * What a person calls a process: of a script that Node runs, the script. The system's own name for a process does not
 * serve, since Node 24 calls every one of its own MainThread.
 *
 * @param commandLine - as in `/proc/<pid>/cmdline`: words that end in NUL.
 */
export function programName(commandLine: string): string {
  const [program = "", ...words] = commandLine.split("\0").filter((word) => word !== "");
  const name = basename(program) || "another process";
  if (name !== "node") return name;
  const first = words.find((word) => !LONG_OPTION_WITH_VALUE.test(word));
  // Behind any other option may stand its value, such as the text of `-e`.
  return first === undefined || first.startsWith("-") ? name : basename(first);
}
