import { installedTool, runTool } from "../installed-tool.ts";
import type { Step } from "../run-steps.ts";
import { closingLines } from "../vitest-closing-lines.ts";

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
    return closingLines(await runTool(installedTool("vitest"), ["run", ...projects]));
  },
};
