import { accessSync, constants, statSync } from "node:fs";
import { delimiter, resolve } from "node:path";

/**
 * Finds the program that a command starts: a path relative to the working directory, or a name on the `PATH`.
 *
 * @returns its absolute path; undefined if no file can be executed.
 */
export function findProgram(
  command: string,
  cwd: string,
  environment: Readonly<Record<string, string>>,
): string | undefined {
  const isPath = command.includes("/") || (process.platform === "win32" && command.includes("\\"));
  const directories = isPath ? ["."] : (environment["PATH"] ?? "").split(delimiter);
  const endings = process.platform === "win32" ? ["", ".exe", ".com"] : [""];
  return directories
    .flatMap((directory) => endings.map((ending) => resolve(cwd, directory, command + ending)))
    .find(isExecutable);
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
