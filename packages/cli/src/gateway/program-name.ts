import { basename } from "node:path";

const LONG_OPTION_WITH_VALUE = /^--[^=]+=/;

/**
 * Returns a name for a process that people recognise: for a script that Node runs, the script. The system's own name
 * does not help, because Node 24 names each of its processes MainThread.
 *
 * @param commandLine - as in `/proc/<pid>/cmdline`: words that end in NUL.
 */
export function programName(commandLine: string): string {
  const [program = "", ...words] = commandLine.split("\0").filter((word) => word !== "");
  const name = basename(program) || "another process";
  if (name !== "node") return name;
  const first = words.find((word) => !LONG_OPTION_WITH_VALUE.test(word));
  // Other options may be followed by a value, such as the text of `-e`.
  return first === undefined || first.startsWith("-") ? name : basename(first);
}
