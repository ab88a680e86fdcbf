import { existsSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { runCommand } from "../command.ts";
import { installedTool } from "../installed-tool.ts";
import { repositoryRoot } from "../repository-root.ts";
import type { Step } from "../run-steps.ts";
import { stepEnvironment } from "../step-environment.ts";
import { closingLines } from "../vitest-closing-lines.ts";

const preloaded = pathToFileURL(join(repositoryRoot, "scripts", "map-group-by.mjs")).href;
const node20 = join(repositoryRoot, "node_modules", "node20-linux-x64", "bin", "node");

/**
 * The packages that promise Node 20, tested on it. Vitest itself asks for a newer Node but runs on this one; should a
 * later version not, this step fails and says so.
 */
export const node20TestsStep: Step = {
  name: "tests on Node 20",
  after: ["node"],
  isAlone: true,
  async run() {
    if (!existsSync(node20)) return ["  skipped: npm has no Node 20 for this platform"];
    const folders = ["packages/protocol/", "packages/handler/", "packages/client/"];
    const output = await runCommand(node20, ["--import", preloaded, installedTool("vitest"), "run", ...folders], {
      cwd: repositoryRoot,
      env: stepEnvironment(),
    });
    return closingLines(output);
  },
};
