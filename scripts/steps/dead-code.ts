import { installedTool, runTool } from "../installed-tool.ts";
import type { Step } from "../run-steps.ts";

/** Finds files, exports and dependencies that nothing uses. */
export const deadCodeStep: Step = {
  name: "knip",
  after: ["node"],
  async run() {
    await runTool(installedTool("knip"), ["--no-progress", "--no-config-hints"]);
    return [];
  },
};
