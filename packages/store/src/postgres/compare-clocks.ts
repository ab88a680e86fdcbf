import type { EpochMs } from "../epoch-ms.ts";
import { type Database, named } from "./database.ts";

/**
 * Maximum tolerated difference between the clocks. If it is larger, replicas may take over executions from replicas
 * that are still running.
 */
const MAX_DIFFERENCE_MS = 3_000;

const CLOCK = named("SELECT floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint AS now");

/**
 * Compares the clocks of this machine and the database.
 *
 * @returns the problem, for the operator; undefined if there is none.
 * @throws StatementError.
 */
export async function compareClocks(database: Database, now: () => EpochMs): Promise<Error | undefined> {
  const [row] = await database.run<{ now: EpochMs }>("reads", CLOCK, []);
  const differenceMs = Math.round(now() - (row?.now ?? 0));
  if (Math.abs(differenceMs) <= MAX_DIFFERENCE_MS) return undefined;
  return new Error(
    `the clocks of this machine and the database differ by ${differenceMs} ms: synchronise them, because leases depend on both`,
  );
}
