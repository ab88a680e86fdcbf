import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { YagateError } from "@yagate/protocol";

/** The names of the file, in search order. */
const CONFIG_FILES = ["yagate.config.ts", "yagate.config.mts", "yagate.config.js", "yagate.config.mjs"] as const;

/**
 * Finds the configuration file.
 *
 * @param asked - the file that the user names; without one, the current directory is searched.
 * @returns the absolute path; undefined if the user names no file and the current directory has none of these names.
 * @throws YagateError `INVALID_REQUEST` if the named file does not exist.
 */
export function findConfig(asked: string | undefined): string | undefined {
  if (asked === undefined) return CONFIG_FILES.map((name) => resolve(name)).find((path) => existsSync(path));
  const path = resolve(asked);
  if (existsSync(path)) return path;
  throw new YagateError("INVALID_REQUEST", `expected a configuration file: ${asked} does not exist`);
}
