#!/usr/bin/env node
import { hasNodeOfNpm, nodeProblem } from "./node-version.ts";

const words = process.argv.slice(2);
// Checked before any module is loaded that needs what an older Node lacks, above all node:sqlite.
const problem = nodeProblem(process.versions.node);
if (problem !== undefined) {
  const remedy = hasNodeOfNpm(process.argv[1] ?? "")
    ? "npx @yagate/cli uses the Node that npm installed"
    : "npm install -D node@24 adds it to your project, and npx @yagate/cli then uses it";
  console.error(`✕ NOT_CONFIGURED  ${problem}\nTry: ${remedy}`);
  process.exitCode = 2;
} else if (words.length === 1 && ["--version", "-V"].includes(words[0] ?? "")) {
  console.log((await import("./package-version.ts")).packageVersion());
} else {
  // It is not an error if the reader of the output stops early, as head does.
  process.stdout.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code !== "EPIPE") throw error;
    process.exit();
  });
  (await import("./compile-cache.ts")).keepCompiledCode(process.env);
  await (await import("./program.ts")).runProgram(words);
  // An abandoned command would keep the process alive.
  if (process.exitCode === 5) process.exit();
}
