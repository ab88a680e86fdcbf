import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { runCommand } from "./command.ts";
import { stepEnvironment } from "./step-environment.ts";

/**
 * Installs the packages in a folder's own lockfile, unless they are already installed there.
 *
 * @param folder - the absolute path of a package that is not part of the workspace.
 * @returns whether something was installed.
 * @throws CommandFailed if npm fails.
 */
export async function installOnce(folder: string): Promise<boolean> {
  const mark = join(folder, "node_modules", ".yagate-installed");
  const wanted = createHash("sha256")
    .update(`${process.platform} ${process.arch} `)
    .update(await readFile(join(folder, "package-lock.json")))
    .digest("hex");
  if (existsSync(mark) && (await readFile(mark, "utf8")) === wanted) return false;
  // No install scripts: the packages work without them, and nothing else may be downloaded.
  const args = ["ci", "--ignore-scripts", "--no-audit", "--no-fund"];
  await runCommand("npm", args, { cwd: folder, env: stepEnvironment() });
  await writeFile(mark, wanted);
  return true;
}
