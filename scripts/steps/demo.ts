import { existsSync } from "node:fs";
import { join } from "node:path";
import { CommandFailed, runCommand } from "../command.ts";
import { repositoryRoot } from "../repository-root.ts";
import type { Step } from "../run-steps.ts";
import { stepEnvironment } from "../step-environment.ts";

const file = join("examples", "quickstart", "demo.ts");

/** The lines that the demo must print, in this order. */
const STORY: readonly RegExp[] = [/question/i, /tool/i, /sign/i, /attempt/i, /fallback/i, /answer/i];

/** Runs the demo as `npm run demo` does, once with the default question and once with another. */
export const demoStep: Step = {
  name: "demo",
  after: ["node"],
  async run() {
    if (!existsSync(join(repositoryRoot, file))) throw new Error(`${file} is missing`);
    const output = await runDemo();
    let rest = output;
    for (const part of STORY) {
      const at = rest.search(part);
      if (at === -1) throw new CommandFailed(`the demo did not reach ${part}`, output);
      rest = rest.slice(at + 1);
    }
    const question = "Where is order ORD-777?";
    const other = await runDemo(question);
    if (!other.includes(question))
      throw new CommandFailed("the demo does not show the question that it was given", other);
    return [`  ${output.trimEnd().split("\n").length} lines of story, and again with another question`];
  },
};

function runDemo(...args: string[]): Promise<string> {
  return runCommand(process.execPath, ["--conditions=@yagate/source", file, ...args], {
    cwd: repositoryRoot,
    env: stepEnvironment(),
    timeoutMs: 120_000,
  });
}
