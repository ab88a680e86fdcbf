import { Client } from "pg";
import { connectionSettings, Sockets } from "./connection-settings.ts";
import { fateOf, StatementError, toStoreError } from "./store-error.ts";

const UNDEFINED_TABLE = "42P01";

/** Reads a setting on a separate connection. @throws YagateError `UNAVAILABLE`. */
export async function readDatabaseSetting(databaseUrl: string, name: string): Promise<string | undefined> {
  const sockets = new Sockets();
  const client = new Client(connectionSettings(databaseUrl, sockets));
  // Errors of the connection are reported by the statement that is running.
  client.on("error", () => undefined);
  try {
    await client.connect();
    const { rows } = await client.query<{ value: string }>("SELECT value FROM settings WHERE name = $1", [name]);
    return rows[0]?.value;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === UNDEFINED_TABLE) return undefined;
    throw toStoreError(new StatementError(fateOf(error), error));
  } finally {
    sockets.destroyAll();
  }
}
