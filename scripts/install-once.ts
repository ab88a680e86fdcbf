import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { runCommand } from "./command.ts";
import { stepEnvironment } from "./step-environment.ts";

/**
 * Installs what a folder's own lockfile says, unless that is what was installed there last.
 *
 * @param folder - the absolute path of a package that is no part of the workspace.
 * @returns whether something was installed.
 * @throws CommandFailed when npm does.
 */
export async function installOnce(folder: string): Promise<boolean> {
  const mark = join(folder, "node_modules", ".yagate-installed");
  const wanted = createHash("sha256")
    .update(`${process.platform} ${process.arch} `)
    .update(await readFile(join(folder, "package-lock.json")))
    .digest("hex");
  if (existsSync(mark) && (await readFile(mark, "utf8")) === wanted) return false;
  // No install scripts: each package is used as it comes, and whatever a script would fetch is not wanted.
  const args = ["ci", "--ignore-scripts", "--no-audit", "--no-fund"];
  await runCommand("npm", args, { cwd: folder, env: stepEnvironment() });
  await writeFile(mark, wanted);
  return true;
}
