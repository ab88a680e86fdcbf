import { expect, it, onTestFinished } from "vitest";
import { execute } from "../../packages/store/test/support/execute.ts";
import { findInstalledPostgres } from "../services/installed-postgres.ts";
import { hasPostgres, startPostgres } from "../services/postgres.ts";
import { expectRestored } from "./expect-restored.ts";
import { startLoad } from "./load.ts";
import { copyTables, dumpWith, type TakeCopy } from "./postgres-copy.ts";

const installed = findInstalledPostgres();
if (installed === undefined) {
  process.stderr.write("a test is skipped: pg_dump is not installed with a server of its version\n");
}

/** What a database has of these executions. */
async function rowsOf(databaseUrl: string, ids: readonly string[]): Promise<readonly unknown[]> {
  const tables = ["executions WHERE id", "execution_requests WHERE execution_id", "appends WHERE execution_id"];
  const reads = tables.map((table) =>
    execute(databaseUrl, `SELECT * FROM ${table} = ANY($1) ORDER BY 1, 2`, [[...ids]]),
  );
  return Promise.all(reads);
}

async function restore(takeCopy: TakeCopy, programs?: string): Promise<void> {
  const server = await startPostgres({ programs });
  onTestFinished(() => server.stop());
  const databaseUrl = await server.createDatabase();
  const load = await startLoad({ DATABASE_URL: databaseUrl });
  await load.untilCompleted(10);
  const finished = [...load.completed];
  const copy = await load.whileCallWaits(() => takeCopy(databaseUrl));
  onTestFinished(() => copy.remove());
  const atBackup = load.completed.length;
  await load.untilCompleted(atBackup + 5);
  load.end();
  await load.gateway.kill();

  const restoredUrl = await server.createDatabase();
  await copy.restore(restoredUrl);
  const before = await rowsOf(databaseUrl, finished);
  expect(before[0]).toHaveLength(finished.length);
  expect(await rowsOf(restoredUrl, finished)).toEqual(before);

  const unfinished = await execute(restoredUrl, "SELECT id FROM executions WHERE is_open = 1");
  expect(unfinished.length).toBeGreaterThan(0);
  const sentAgain = await expectRestored(load, { DATABASE_URL: restoredUrl }, restoredUrl);
  process.stdout.write(
    `\n${JSON.stringify({ finished: finished.length, unfinished: unfinished.length, sentAgain })}\n`,
  );
  expect(await rowsOf(restoredUrl, finished)).toEqual(before);
}

it.skipIf(installed === undefined)(
  "a dump that pg_dump took under load is a database: what was finished is in it, the rest goes on",
  { timeout: 90_000 },
  () => restore(dumpWith(installed ?? ""), installed),
);

it.skipIf(!hasPostgres())("so is a copy of all tables that one transaction took", { timeout: 90_000 }, () =>
  restore(copyTables),
);
