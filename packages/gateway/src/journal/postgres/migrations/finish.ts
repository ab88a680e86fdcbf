import type { Client } from "pg";

/** The setting that says that no replica of an older version is left. */
export const FINISHED_SETTING = "migration-finished";

/** What older versions can't read may be written from now on. */
export async function finish(client: Client): Promise<void> {
  await client.query("INSERT INTO settings (name, value) VALUES ($1, 'true') ON CONFLICT (name) DO NOTHING", [
    FINISHED_SETTING,
  ]);
}
