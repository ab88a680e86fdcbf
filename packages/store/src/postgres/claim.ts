import type { EpochMs } from "../epoch-ms.ts";
import { type Database, named } from "./database.ts";
import { toStoreError } from "./store-error.ts";

/** The setting contains the time at which the claim ends, and the owner. Then another replica can claim it. */
const CLAIM = named(`
  INSERT INTO settings AS s (name, value) VALUES ($4, $1::bigint || ' ' || $2::text)
  ON CONFLICT (name) DO UPDATE SET value = excluded.value
    WHERE split_part(s.value, ' ', 1)::bigint <= $3 OR split_part(s.value, ' ', 2) = $2
  RETURNING name`);

/** Claims work that only one replica does at a time, until a given time, or extends the claim. */
export type Claim = (claim: {
  readonly owner: string;
  readonly now: EpochMs;
  readonly until: EpochMs;
}) => Promise<boolean>;

/** Creates the claim of a kind of work. @param setting - the name of the setting that stores the claim. */
export function createClaim(database: Database, setting: string): Claim {
  return async ({ owner, now, until }) => {
    try {
      return (await database.run("leases", CLAIM, [until, owner, now, setting])).length > 0;
    } catch (error) {
      throw toStoreError(error);
    }
  };
}
