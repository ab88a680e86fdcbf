import type { Client } from "pg";

/** From now on no version runs on the database that lacks one of its steps. */
export async function finish(client: Client): Promise<void> {
  await client.query("UPDATE yagate_migrations SET finished_at = now() WHERE finished_at IS NULL");
}
