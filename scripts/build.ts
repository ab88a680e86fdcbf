import { installedTool, runTool } from "./installed-tool.ts";
import { runSteps, type Step } from "./run-steps.ts";
import { workspacePackages } from "./workspace-packages.ts";

const tsup = installedTool("tsup");
const steps: readonly Step[] = workspacePackages().map(({ name, folder, needs }) => ({
  name,
  after: needs,
  async run() {
    return [await runTool(tsup, [], folder)];
  },
}));

const outcomes = await runSteps(steps, {
  slots: 2,
  nowMs: () => performance.now(),
  onStart: () => {},
  onEnd: ({ name, status, durationMs, lines }) => {
    console.log(`  ${status === "passed" ? "built" : "could not build"} ${name} (${(durationMs / 1000).toFixed(1)} s)`);
    if (status === "failed") console.error(lines.join("\n"));
  },
});
process.exitCode = outcomes.every(({ status }) => status === "passed") ? 0 : 1;
