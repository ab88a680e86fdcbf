import { existsSync } from "node:fs";
import { basename, dirname, join } from "node:path";

/** The oldest Node version that the gateway supports, as in this package's `engines`. */
export const OLDEST_NODE = "22.19";

/**
 * Checks whether npm installed a Node next to this command, which `npx` prefers and the shell does not use.
 *
 * @param command - the path that started the process.
 */
export function hasNodeOfNpm(command: string): boolean {
  const folder = dirname(command);
  return basename(folder) === ".bin" && existsSync(join(folder, "node"));
}

/** Describes the problem with a version of Node; undefined if there is none. */
export function nodeProblem(version: string): string | undefined {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  const [oldestMajor = 0, oldestMinor = 0] = OLDEST_NODE.split(".").map(Number);
  if (major > oldestMajor || (major === oldestMajor && minor >= oldestMinor)) return undefined;
  return `expected Node ${OLDEST_NODE} or newer; this is Node ${version}`;
}
