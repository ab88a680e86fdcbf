import { join } from "node:path";
import { runCommand } from "../command.ts";
import { repositoryRoot } from "../repository-root.ts";
import type { Step } from "../run-steps.ts";
import { stepEnvironment } from "../step-environment.ts";

export const buildStep: Step = {
  name: "build",
  after: ["node"],
  async run() {
    const output = await runCommand(process.execPath, [join(repositoryRoot, "scripts", "build.ts")], {
      env: stepEnvironment(),
    });
    return output.trimEnd().split("\n");
  },
};
