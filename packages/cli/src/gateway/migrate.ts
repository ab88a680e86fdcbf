import { configFromEnvironment, migrateDatabase } from "@yagate/gateway";
import type { Invocation } from "../frame/invocation.ts";
import { dataPlace } from "./data-place.ts";

/**
 * Migrates the database that the environment sets, and prints the result.
 *
 * @param options.isLast - whether the last gateway of an older version has stopped using the database. Default false.
 */
export async function migrate(
  invocation: Invocation,
  { isLast = false }: { readonly isLast?: boolean } = {},
): Promise<void> {
  const config = configFromEnvironment(process.env, { required: ["DATABASE_URL"] });
  const database = dataPlace(config);
  if (isLast) {
    await invocation.confirm(`Finish the migration of ${database}? Older versions can no longer use it.`);
  }
  const { version, applied } = await migrateDatabase(config, { isLast });
  const steps = `${applied} ${applied === 1 ? "step was" : "steps were"} applied`;
  const text = `${database} has schema ${version}: ${applied === 0 ? "it is up to date" : steps}`;
  invocation.output.done({ database, schemaVersion: version, appliedSteps: applied, isFinished: isLast }, text);
  if (isLast) {
    invocation.output.note(
      "the migration is finished: from now on, do not start a gateway of an older version on this database",
    );
  }
}
