import { resolve } from "node:path";
import type { StoreOptions } from "./open-store.ts";

/**
 * Reads a setting of a store without opening the store: nothing is locked, migrated or created, and a gateway may be
 * using it.
 *
 * @returns undefined if there is no store yet, or if it has no such setting.
 * @throws YagateError `UNAVAILABLE` if the store cannot be read.
 */
export async function readStoredSetting(
  { dataDir, databaseUrl }: Pick<StoreOptions, "dataDir" | "databaseUrl">,
  name: string,
): Promise<string | undefined> {
  if (databaseUrl === undefined) {
    const { readFileSetting } = await import("./sqlite/read-setting.ts");
    return readFileSetting(resolve(dataDir), name);
  }
  const { readDatabaseSetting } = await import("./postgres/read-setting.ts");
  return readDatabaseSetting(databaseUrl, name);
}
