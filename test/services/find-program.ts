import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";

/** The first of some programs that PATH has, as a whole path. */
export function findProgram(names: readonly string[], path = process.env["PATH"] ?? ""): string | undefined {
  const folders = path.split(delimiter).filter((folder) => folder !== "");
  return names.flatMap((name) => folders.map((folder) => join(folder, name))).find(isExecutable);
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
