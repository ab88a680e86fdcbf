import { configFromEnvironment, migrateDatabase } from "@yagate/gateway";
import { dataPlace } from "./data-place.ts";

/** Migrates the database of the environment, and says what was done. */
export async function migrate(): Promise<void> {
  const config = configFromEnvironment(process.env, { required: ["DATABASE_URL"] });
  const { version, applied } = await migrateDatabase(config);
  const done =
    applied === 0 ? "nothing was to be done" : `${applied} ${applied === 1 ? "step was" : "steps were"} applied`;
  console.log(`${dataPlace(config)} has schema ${version}: ${done}`);
}
