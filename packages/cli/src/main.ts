#!/usr/bin/env node
import { nodeProblem } from "./node-version.ts";

// An older Node must be told what is wrong before anything is loaded that it does not have: node:sqlite above all.
const problem = nodeProblem(process.versions.node);
if (problem === undefined) {
  const { createProgram } = await import("./program.ts");
  await createProgram().parseAsync();
} else {
  console.error(`yagate: ${problem}`);
  process.exitCode = 2;
}
