import { installedTool, runTool } from "../installed-tool.ts";
import type { Step } from "../run-steps.ts";
import { closingLines } from "../vitest-closing-lines.ts";

export const docsBlocksStep: Step = {
  name: "code blocks of the docs",
  after: ["node"],
  async run() {
    const output = await runTool(installedTool("vitest"), ["run", "test/docs-blocks", "--reporter=verbose"]);
    const skipped = output.split("\n").filter((line) => line.trimStart().startsWith("↓"));
    return [...skipped, ...closingLines(output)];
  },
};
