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
 * Tests the packages that support Node 20 on that version. Vitest requires a newer Node but still runs on Node 20. If a
 * later version does not, this step fails with an error that says so.
 */
export const node20TestsStep: Step = {
  name: "tests on Node 20",
  after: ["Node 20"],
  isAlone: true,
  async run() {
    const node20 = await installNode20();
    if (node20 === undefined) return ["  skipped: npm has no Node 20 for this platform"];
    // Without the tests of stores on servers, which depend on the driver, not on Node.
    const tests = ["--project", "shared", "packages/protocol/", "packages/handler/", "packages/client/"];
    const output = await runCommand(node20, ["--import", preloaded, installedTool("vitest"), "run", ...tests], {
      cwd: repositoryRoot,
      env: stepEnvironment(),
    });
    return closingLines(output);
  },
};
