import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { Client } from "pg";

/** Every file of a data directory, also those that SQLite has beside the journal. */
export async function filesIn(dataDir: string): Promise<ReadonlyMap<string, Buffer>> {
  const entries = await readdir(dataDir, { withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map(({ name }) => name);
  return new Map(
    await Promise.all(files.map(async (name) => [`file ${name}`, await readFile(join(dataDir, name))] as const)),
  );
}

/** Every row of every table of a database, as text. */
export async function rowsIn(databaseUrl: string): Promise<ReadonlyMap<string, Buffer>> {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const { rows: tables } = await client.query<{ name: string }>(
      "SELECT quote_ident(tablename) AS name FROM pg_tables WHERE schemaname = 'public'",
    );
    const read: [string, Buffer][] = [];
    for (const { name } of tables) {
      const { rows } = await client.query<{ row: string }>(`SELECT ${name}::text AS row FROM ${name}`);
      read.push([`table ${name}`, Buffer.from(rows.map(({ row }) => row).join("\n"))]);
    }
    return new Map(read);
  } finally {
    await client.end();
  }
}
