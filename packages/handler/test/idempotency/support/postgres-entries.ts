import { Pool } from "pg";
import type { PostgresServer } from "../../../../../test/services/postgres.ts";
import type { Entries } from "./entries.ts";

/** Entries in a database of their own. */
export async function createPostgresEntries(server: PostgresServer): Promise<Entries> {
  const location = await server.createDatabase();
  const pool = new Pool({ connectionString: location, max: 1 });
  pool.on("error", () => {});
  return {
    place: { kind: "pg", location },
    async age(durationMs) {
      const interval = "$1::double precision * interval '1 millisecond'";
      const times = `lapses_at = lapses_at - ${interval}, expires_at = expires_at - ${interval}`;
      await pool.query(`UPDATE yagate_calls SET ${times}`, [durationMs]);
    },
    async count() {
      const { rows } = await pool.query<{ entries: number }>("SELECT count(*)::integer AS entries FROM yagate_calls");
      return rows[0]?.entries ?? Number.NaN;
    },
    remove: () => pool.end(),
  };
}
