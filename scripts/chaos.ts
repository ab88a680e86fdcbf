import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { installedTool } from "./installed-tool.ts";
import { repositoryRoot } from "./repository-root.ts";
import { stepEnvironment } from "./step-environment.ts";

/** Time limit for the complete run. Each test also has a shorter limit. */
const LIMIT_MINUTES = 60;

/** The lines in which each test prints its counts. */
const TALLY = /^tally: (.*)$/;

const startedAt = performance.now();
const directory = await mkdtemp(join(tmpdir(), "yagate-chaos-"));
// Services that refuse to run as root run under a separate account.
await chmod(directory, 0o1777);
const wanted = process.argv.length > 2 ? process.argv.slice(2) : ["test/crash"];
const vitest = spawn(process.execPath, [installedTool("vitest"), "run", ...wanted], {
  cwd: repositoryRoot,
  env: { ...stepEnvironment(), CHAOS: "1", TMPDIR: directory },
  stdio: ["ignore", "pipe", "inherit"],
  // A separate process group, so that everything that it has started can be ended with it.
  detached: true,
});

let ending: string | undefined;
function end(reason: string): void {
  ending ??= reason;
  if (vitest.pid !== undefined) process.kill(-vitest.pid, "SIGKILL");
}
const limit = setTimeout(() => end(`it took longer than ${LIMIT_MINUTES} minutes`), LIMIT_MINUTES * 60_000);
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => end(`it was stopped by ${signal}`));

let output = "";
vitest.stdout.setEncoding("utf8").on("data", (text: string) => {
  output += text;
  process.stdout.write(text);
});
const [status] = await once(vitest, "close");
clearTimeout(limit);
await rm(directory, { recursive: true, force: true });

const tallies = output.split("\n").flatMap((line) => TALLY.exec(line)?.[1] ?? []);
console.log("\nchaos");
for (const tally of tallies) console.log(`  ${tally}`);
const seconds = Math.round((performance.now() - startedAt) / 1000);
const problem = ending ?? (status === 0 ? undefined : "a rule was broken, as said above");
if (problem !== undefined) console.log(`chaos failed after ${seconds} s: ${problem}`);
else console.log(`chaos passed in ${seconds} s`);
process.exitCode = problem === undefined ? 0 : 1;
