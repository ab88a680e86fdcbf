import { globSync } from "node:fs";
import { installedTool, runTool } from "../installed-tool.ts";
import { repositoryRoot } from "../repository-root.ts";
import type { Step } from "../run-steps.ts";

/** What runs in browsers, and is compiled with their types alone. */
const PAGES = "test/browser/page";

/** Sources, tests, scripts and examples in one program; type tests are files that fail to compile when a type changes. */
export const typesStep: Step = {
  name: "types and type tests",
  after: ["node"],
  async run() {
    for (const project of [".", PAGES]) {
      await runTool(installedTool("typescript7", "tsc"), ["--noEmit", "--pretty", "false", "-p", project]);
    }
    const typeTests = globSync("packages/*/test/**/*.test-d.ts", { cwd: repositoryRoot });
    if (typeTests.length === 0) throw new Error("there are no type tests: packages/*/test/**/*.test-d.ts");
    return [`  ${typeTests.length} files of type tests`];
  },
};
