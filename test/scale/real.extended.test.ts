import { expect, it, onTestFinished } from "vitest";
import { hasPostgres, startPostgres } from "../services/postgres.ts";
import { compareWithReal, differencesOf, TOLERANCE } from "./compare-with-real.ts";
import { readResults } from "./results.ts";
import { createReplicaRunner } from "./run-replicas.ts";

it.skipIf(!hasPostgres() || process.platform !== "linux")(
  "two real replicas do about what the simulation says",
  // What replicas do by the clock weighs more where they are slow: a machine may be busy for a while.
  { timeout: 120_000, retry: 2 },
  async () => {
    const server = await startPostgres();
    onTestFinished(() => server.stop());
    const runner = await createReplicaRunner(await server.createDatabase());
    onTestFinished(() => runner.close());
    // The first start migrates the database.
    await runner.run(1, { perSecond: 0, seconds: 0.1 });
    // One after the other, so that a slow machine makes no difference to what they share.
    const pace = { atOnce: 1, warmUp: 0, executions: 40 };
    const comparison = await compareWithReal(runner, readResults().costs, { replicas: 2, pace, rounds: 1 });
    process.stdout.write(`\n${JSON.stringify(comparison)}\n`);
    const { transactions, walBytes } = differencesOf(comparison);
    expect(transactions).toBeLessThan(TOLERANCE.transactions);
    expect(walBytes).toBeLessThan(TOLERANCE.walBytes);
  },
);
