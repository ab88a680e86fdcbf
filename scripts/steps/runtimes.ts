import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { runCommand } from "../command.ts";
import { installedTool, runTool } from "../installed-tool.ts";
import { repositoryRoot } from "../repository-root.ts";
import type { Step } from "../run-steps.ts";
import { stepEnvironment } from "../step-environment.ts";
import { closingLines } from "../vitest-closing-lines.ts";

const folder = join(repositoryRoot, "test", "runtimes");
const lockfile = join(folder, "package-lock.json");
const mark = join(folder, "node_modules", ".yagate-installed");

/** The built handler kit in the servers and runtimes that are too large for everybody's `npm ci`. */
export const runtimesStep: Step = {
  name: "other runtimes",
  after: ["build"],
  async run() {
    const install = await installOnce();
    const args = ["run", "--config", "vitest.runtimes.config.ts", "--reporter=verbose"];
    const output = await runTool(installedTool("vitest"), args);
    const skipped = output.split("\n").filter((line) => line.trimStart().startsWith("↓"));
    return [install, ...skipped, ...closingLines(output)];
  },
};

/** Installs what the folder's lockfile says, unless that is what was installed last. */
async function installOnce(): Promise<string> {
  const wanted = createHash("sha256")
    .update(`${process.platform} ${process.arch} `)
    .update(await readFile(lockfile))
    .digest("hex");
  if (existsSync(mark) && (await readFile(mark, "utf8")) === wanted) return "  installed before";
  // No install scripts: each package is used as it comes, and whatever a script would fetch is not wanted.
  const args = ["ci", "--ignore-scripts", "--no-audit", "--no-fund"];
  await runCommand("npm", args, { cwd: folder, env: stepEnvironment() });
  await writeFile(mark, wanted);
  return "  installed";
}
