import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { arch, cpus, platform } from "node:os";
import { join } from "node:path";
import { repositoryRoot } from "../../scripts/repository-root.ts";
import { hasPostgres, startPostgres } from "../services/postgres.ts";
import { type Comparison, compareWithReal } from "./compare-with-real.ts";
import { measureCosts } from "./measure-costs.ts";
import { watchOtherPrograms } from "./other-programs.ts";
import { fillPage, PAGE } from "./page.ts";
import type { Results } from "./report.ts";
import { RESULTS, readResults } from "./results.ts";
import { createReplicaRunner } from "./run-replicas.ts";

/** Measures, compares the simulation with real replicas, and writes both into docs/scale-measurements.md. `--write` only writes. */
if (!process.argv.includes("--write")) {
  if (!hasPostgres()) process.exit(2);
  const otherPrograms = watchOtherPrograms();
  // As in production: with whole pages in the log after a checkpoint.
  const server = await startPostgres({ isDurable: true });
  const runner = await createReplicaRunner(await server.createDatabase());
  const costs = await measureCosts(runner);
  const comparisons: Comparison[] = [];
  for (const replicas of [1, 2, 3]) {
    comparisons.push(
      await compareWithReal(runner, costs, {
        replicas,
        // As in the simulation, at random moments: events that are close together share notifications.
        pace: { perSecond: 30 / replicas, seconds: 10, isRandom: true },
        rounds: 3,
      }),
    );
  }
  await runner.close();
  await server.stop();
  const results: Results = {
    measuredOn: new Date().toISOString().slice(0, 10),
    machine: `${cpus().length} cores (${platform()} ${arch()}), Node ${process.versions.node}, PostgreSQL 18`,
    commit: execFileSync("git", ["rev-parse", "--short=8", "HEAD"], { cwd: repositoryRoot, encoding: "utf8" }).trim(),
    otherPrograms: otherPrograms(),
    costs,
    comparisons,
  };
  writeFileSync(RESULTS, `${JSON.stringify(results, undefined, 2)}\n`);
}
const page = join(repositoryRoot, PAGE);
writeFileSync(page, fillPage(readFileSync(page, "utf8"), readResults()));
