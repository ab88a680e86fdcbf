#!/usr/bin/env node
import { nodeProblem } from "./node-version.ts";

// An older Node must be told what is wrong before anything is loaded that it does not have: node:sqlite above all.
const problem = nodeProblem(process.versions.node);
if (problem === undefined) {
  const { createProgram } = await import("./program.ts");
  // `help serve` is `serve --help`: commander prints the first before what belongs into it could be loaded.
  const [node = "", script = "", first, command, ...others] = process.argv;
  const isHelp = first === "help" && command !== undefined && others.length === 0;
  await createProgram().parseAsync(isHelp ? [node, script, command, "--help"] : process.argv);
} else {
  console.error(`yagate: ${problem}`);
  process.exitCode = 2;
}
