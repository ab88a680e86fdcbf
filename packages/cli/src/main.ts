#!/usr/bin/env node
import { hasNodeOfNpm, nodeProblem } from "./node-version.ts";

// An older Node must be told what is wrong before anything is loaded that it does not have: node:sqlite above all.
const problem = nodeProblem(process.versions.node);
if (problem === undefined) {
  const { createProgram } = await import("./program.ts");
  // `help serve` is `serve --help`: commander prints the first before what belongs into it could be loaded.
  const [node = "", script = "", first, command, ...others] = process.argv;
  const isHelp = first === "help" && command !== undefined && others.length === 0;
  await createProgram().parseAsync(isHelp ? [node, script, command, "--help"] : process.argv);
} else {
  const remedy = hasNodeOfNpm(process.argv[1] ?? "")
    ? "npx @yagate/cli uses the one that npm brought"
    : "npm install -D node@24 brings one to your project, which npx @yagate/cli then uses";
  console.error(`yagate: ${problem}; ${remedy}`);
  process.exitCode = 2;
}
