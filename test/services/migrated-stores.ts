import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openPostgresStore } from "../../packages/store/src/postgres.ts";
import { openSqliteStore } from "../../packages/store/src/sqlite.ts";
import { type PostgresServer, startPostgres } from "./postgres.ts";

let server: Promise<PostgresServer> | undefined;

async function migrate(databaseUrl: string): Promise<void> {
  await (await openPostgresStore({ databaseUrl })).close();
}

/**
 * The URL of a PostgreSQL database of the test's own, with the present schema and no rows. Ask `hasPostgres()` first.
 * The server is shared by all test files of one worker and ends with it, since starting one and migrating a database
 * take longer than most tests. A test that stops its server starts one of its own.
 */
export async function createMigratedDatabase(): Promise<string> {
  server ??= startPostgres();
  return (await server).createDatabase(migrate);
}

let eventStore: Promise<Uint8Array> | undefined;

async function makeJournal(): Promise<Uint8Array> {
  const dataDir = await mkdtemp(join(tmpdir(), "yagate-migrated-"));
  try {
    await (await openSqliteStore({ dataDir })).close();
    return await readFile(join(dataDir, "journal.db"));
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
}

/** Puts a journal with the present schema and no rows into an empty data directory: migrating takes ten times as long. */
export async function placeMigratedJournal(dataDir: string): Promise<void> {
  eventStore ??= makeJournal();
  await writeFile(join(dataDir, "journal.db"), await eventStore, { mode: 0o600, flag: "wx" });
}
