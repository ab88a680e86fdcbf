import { globSync } from "node:fs";
import { installedTool, runTool } from "../installed-tool.ts";
import { repositoryRoot } from "../repository-root.ts";
import type { Step } from "../run-steps.ts";

/** The compiler's own default is four checkers, which on two cores check most declarations four times over. */
const OPTIONS = ["--noEmit", "--pretty", "false", "--checkers", "1"];

/** Code that runs in browsers, compiled only with the browser's types. */
const PAGES = ["test/browser/page", "packages/console"];

/**
 * Compiles sources, tests, scripts and examples as one program. Type tests are files that fail to compile if a type
 * changes.
 */
export const typesStep: Step = {
  name: "types and type tests",
  after: ["node"],
  async run() {
    for (const project of [".", ...PAGES]) {
      await runTool(installedTool("typescript7", "tsc"), [...OPTIONS, "-p", project]);
    }
    const typeTests = globSync("packages/*/test/**/*.test-d.ts", { cwd: repositoryRoot });
    if (typeTests.length === 0) throw new Error("there are no type tests: packages/*/test/**/*.test-d.ts");
    return [`  ${typeTests.length} files of type tests`];
  },
};
