import { join } from "node:path";
import { installOnce } from "../install-once.ts";
import { installedTool, runTool } from "../installed-tool.ts";
import { repositoryRoot } from "../repository-root.ts";
import type { Step } from "../run-steps.ts";
import { closingLines } from "../vitest-closing-lines.ts";

/** Tests the built handler kit in servers and runtimes that are too large for `npm ci`. */
export const runtimesStep: Step = {
  name: "other runtimes",
  after: ["build"],
  async run() {
    const isNew = await installOnce(join(repositoryRoot, "test", "runtimes"));
    const args = ["run", "--config", "vitest.runtimes.config.ts", "--reporter=verbose"];
    const output = await runTool(installedTool("vitest"), args);
    const skipped = output.split("\n").filter((line) => line.trimStart().startsWith("↓"));
    return [isNew ? "  installed" : "  installed before", ...skipped, ...closingLines(output)];
  },
};
