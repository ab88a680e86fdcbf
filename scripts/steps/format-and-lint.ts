import { installedTool, runTool } from "../installed-tool.ts";
import type { Step } from "../run-steps.ts";

export const formatAndLintStep: Step = {
  name: "format and lint",
  after: ["node"],
  async run() {
    await runTool(installedTool("@biomejs/biome", "biome"), ["ci", "--colors=off", "--error-on-warnings", "."]);
    return [];
  },
};
