import { installedTool, runTool } from "../installed-tool.ts";
import type { Step } from "../run-steps.ts";
import { closingLines } from "../vitest-closing-lines.ts";

/** Installs the tarballs outside the repository and uses them as a new user would. */
export const packStep: Step = {
  name: "pack and install",
  after: ["build", "Node 20"],
  async run() {
    return closingLines(await runTool(installedTool("vitest"), ["run", "--config", "vitest.pack.config.ts"]));
  },
};
