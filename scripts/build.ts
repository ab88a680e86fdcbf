import { buildConsole, placeConsole } from "./build-console.ts";
import { installedTool, runTool } from "./installed-tool.ts";
import { runSteps, type Step } from "./run-steps.ts";
import { workspacePackages } from "./workspace-packages.ts";

const tsup = installedTool("tsup");
const packages: readonly Step[] = workspacePackages().map(({ name, folder, needs }) => ({
  name,
  after: needs,
  async run() {
    return [await runTool(tsup, [], folder)];
  },
}));
const steps: readonly Step[] = [
  {
    name: "the console",
    after: [],
    async run() {
      await buildConsole();
      return [];
    },
  },
  ...packages,
  {
    name: "the console in the gateway",
    // The build of the gateway empties its folder first.
    after: ["the console", "@yagate/gateway"],
    async run() {
      placeConsole();
      return [];
    },
  },
];

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
