import type { EpochMs } from "../epoch-ms.ts";
import { type Database, named } from "./database.ts";

/** With more than this between two clocks, replicas may take each other's executions although nobody has died. */
const MAX_DIFFERENCE_MS = 3_000;

const CLOCK = named("SELECT floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint AS now");

/**
 * Looks whether this machine's clock agrees with the database's.
 *
 * @returns what is wrong, for whoever runs the gateway; undefined when nothing is.
 * @throws StatementError.
 */
export async function compareClocks(database: Database, now: () => EpochMs): Promise<Error | undefined> {
  const [row] = await database.run<{ now: EpochMs }>("reads", CLOCK, []);
  const differenceMs = Math.round(now() - (row?.now ?? 0));
  if (Math.abs(differenceMs) <= MAX_DIFFERENCE_MS) return undefined;
  return new Error(
    `this machine's clock differs from the database's by ${differenceMs} ms: leases rely on clocks that agree`,
  );
}
