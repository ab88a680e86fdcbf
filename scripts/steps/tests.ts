import { installedTool, runTool } from "../installed-tool.ts";
import type { Step } from "../run-steps.ts";
import { closingLines } from "../vitest-closing-lines.ts";

/** Runs every test except the extended ones, those that need the built packages, and those with a separate step. */
export const testsStep: Step = {
  name: "tests",
  after: ["node"],
  isAlone: true,
  async run() {
    return closingLines(
      await runTool(installedTool("vitest"), ["run", "--project", "shared", "--project", "isolated"]),
    );
  },
};
