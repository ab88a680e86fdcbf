import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { Client } from "pg";

/** Where the rows of a stopped gateway are. */
export interface StoppedStore {
  readonly dataDir: string;
  readonly databaseUrl: string | undefined;
}

/**
 * Leaves the rows as the migration leaves those from before keys of providers were bound to hosts, when no secret named
 * any host.
 */
export async function unbindSecrets(store: StoppedStore): Promise<void> {
  await runStatements(store, [
    "UPDATE workspace_secrets SET hosts = '[]', unbound_at = updated_at",
    "UPDATE workspace_providers SET unbound_at = updated_at",
  ]);
}

/** Runs statements on the store as another program would, such as an older replica. */
export async function runStatements(
  { dataDir, databaseUrl }: StoppedStore,
  statements: readonly string[],
): Promise<void> {
  if (databaseUrl === undefined) {
    const database = new DatabaseSync(join(dataDir, "journal.db"));
    for (const statement of statements) database.exec(statement);
    database.close();
    return;
  }
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  for (const statement of statements) await client.query(statement);
  await client.end();
}
