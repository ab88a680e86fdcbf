import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { runCommand } from "../command.ts";
import { installedTool } from "../installed-tool.ts";
import { installNode20 } from "../node20.ts";
import { repositoryRoot } from "../repository-root.ts";
import type { Step } from "../run-steps.ts";
import { stepEnvironment } from "../step-environment.ts";
import { closingLines } from "../vitest-closing-lines.ts";

const preloaded = pathToFileURL(join(repositoryRoot, "scripts", "map-group-by.mjs")).href;

/**
 * The packages that promise Node 20, tested on it. Vitest itself asks for a newer Node but runs on this one; should a
 * later version not, this step fails and says so.
 */
export const node20TestsStep: Step = {
  name: "tests on Node 20",
  after: ["Node 20"],
  isAlone: true,
  async run() {
    const node20 = await installNode20();
    if (node20 === undefined) return ["  skipped: npm has no Node 20 for this platform"];
    // Without those of the stores that are servers: they depend on a server's driver and not on Node.
    const tests = ["--project", "shared", "packages/protocol/", "packages/handler/", "packages/client/"];
    const output = await runCommand(node20, ["--import", preloaded, installedTool("vitest"), "run", ...tests], {
      cwd: repositoryRoot,
      env: stepEnvironment(),
    });
    return closingLines(output);
  },
};
