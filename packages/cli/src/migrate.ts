import { configFromEnvironment, migrateDatabase } from "@yagate/gateway";
import { dataPlace } from "./data-place.ts";

/**
 * Migrates the database of the environment, and says what was done.
 *
 * @param options.isLast - no gateway of an older version is left on it. Default false.
 */
export async function migrate({ isLast = false }: { readonly isLast?: boolean } = {}): Promise<void> {
  const config = configFromEnvironment(process.env, { required: ["DATABASE_URL"] });
  const { version, applied } = await migrateDatabase(config, { isLast });
  const done =
    applied === 0 ? "nothing was to be done" : `${applied} ${applied === 1 ? "step was" : "steps were"} applied`;
  console.log(`${dataPlace(config)} has schema ${version}: ${done}`);
  if (isLast) console.log("the migration is finished: start no gateway of an older version on this database any more");
}
