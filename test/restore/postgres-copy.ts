import { execFile } from "node:child_process";
import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { migrateDatabase } from "@yagate/gateway";
import { Client } from "pg";

const run = promisify(execFile);

/** Takes a copy of a database that is in use, and gives what puts it into an empty one. */
export type TakeCopy = (databaseUrl: string) => Promise<{
  restore(emptyDatabaseUrl: string): Promise<void>;
  remove(): Promise<void>;
}>;

async function makeFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "yagate-copy-"));
  // The server writes into it too, under an account of its own.
  await chmod(folder, 0o777);
  return folder;
}

/** As an operator does it. @param programs - the folder with `bin/pg_dump`. */
export function dumpWith(programs: string): TakeCopy {
  return async (databaseUrl) => {
    const folder = await makeFolder();
    const file = join(folder, "yagate.dump");
    await run(join(programs, "bin", "pg_dump"), ["--format=custom", `--file=${file}`, databaseUrl]);
    return {
      restore: async (emptyDatabaseUrl) => {
        await run(join(programs, "bin", "pg_restore"), ["--exit-on-error", `--dbname=${emptyDatabaseUrl}`, file]);
      },
      remove: () => rm(folder, { recursive: true, force: true }),
    };
  };
}

/** The same by the server alone, for one that has no tools: every table as one transaction sees it. */
export const copyTables: TakeCopy = async (databaseUrl) => {
  const folder = await makeFolder();
  const tables = await withClient(databaseUrl, async (client) => {
    await client.query("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY");
    const { rows } = await client.query<{ tablename: string }>(
      "SELECT tablename FROM pg_tables WHERE schemaname = 'public' AND tablename <> 'yagate_migrations'",
    );
    for (const { tablename } of rows) await client.query(`COPY ${tablename} TO '${join(folder, tablename)}'`);
    return rows.map(({ tablename }) => tablename);
  });
  return {
    async restore(emptyDatabaseUrl) {
      await migrateDatabase({ databaseUrl: emptyDatabaseUrl });
      await withClient(emptyDatabaseUrl, async (client) => {
        // The migration has stored the settings of an empty database.
        await client.query("DELETE FROM settings");
        for (const table of tables) await client.query(`COPY ${table} FROM '${join(folder, table)}'`);
      });
    },
    remove: () => rm(folder, { recursive: true, force: true }),
  };
};

async function withClient<Result>(
  connectionString: string,
  work: (client: Client) => Promise<Result>,
): Promise<Result> {
  const client = new Client({ connectionString });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
