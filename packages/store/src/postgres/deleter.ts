import type { RetentionStore } from "../retention/retention-store.ts";
import { type Database, named } from "./database.ts";
import { toStoreError } from "./store-error.ts";

/** The setting holds until when, then who; it is taken over when that is past. */
const CLAIM = named(`
  INSERT INTO settings AS s (name, value) VALUES ('retention.deleter', $1::bigint || ' ' || $2::text)
  ON CONFLICT (name) DO UPDATE SET value = excluded.value
    WHERE split_part(s.value, ' ', 1)::bigint <= $3 OR split_part(s.value, ' ', 2) = $2
  RETURNING name`);

/** Makes `RetentionStore.claim`: of several replicas one at a time deletes. */
export function createDeleterClaim(database: Database): RetentionStore["claim"] {
  return async ({ owner, now, until }) => {
    try {
      return (await database.run("leases", CLAIM, [until, owner, now])).length > 0;
    } catch (error) {
      throw toStoreError(error);
    }
  };
}
