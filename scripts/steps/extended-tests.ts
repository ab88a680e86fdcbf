import { installedTool, runTool } from "../installed-tool.ts";
import { repositoryRoot } from "../repository-root.ts";
import type { Step } from "../run-steps.ts";
import { closingLines } from "../vitest-closing-lines.ts";

/** About a quarter of it on an idle machine with two cores. */
const MAX_MS = 50 * 60_000;

/**
 * The tests that are too slow for every run of `npm test`: crashes, complete contracts on PostgreSQL, third-party
 * suites.
 */
export const extendedTestsStep: Step = {
  name: "extended tests",
  after: ["Node 20"],
  isAlone: true,
  async run() {
    const projects = ["--project", "extended-shared", "--project", "extended-isolated"];
    return closingLines(await runTool(installedTool("vitest"), ["run", ...projects], repositoryRoot, MAX_MS));
  },
};
