#!/usr/bin/env node
import { hasNodeOfNpm, nodeProblem } from "./node-version.ts";

const words = process.argv.slice(2);
// An older Node must be told what is wrong before anything is loaded that it does not have: node:sqlite above all.
const problem = nodeProblem(process.versions.node);
if (problem !== undefined) {
  const remedy = hasNodeOfNpm(process.argv[1] ?? "")
    ? "npx @yagate/cli uses the Node that npm installed"
    : "npm install -D node@24 adds one to your project, which npx @yagate/cli then uses";
  console.error(`✕ NOT_CONFIGURED  ${problem}\nTry: ${remedy}`);
  process.exitCode = 2;
} else if (words.length === 1 && ["--version", "-V"].includes(words[0] ?? "")) {
  console.log((await import("./package-version.ts")).packageVersion());
} else {
  // A reader that has read enough, such as head, is no error.
  process.stdout.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code !== "EPIPE") throw error;
    process.exit();
  });
  await (await import("./program.ts")).runProgram(words);
  // What was abandoned when its time was over would keep the process alive.
  if (process.exitCode === 5) process.exit();
}
