import type { EpochMs } from "../epoch-ms.ts";
import { sql } from "../sql.ts";
import { first, type UnitOfWork } from "../unit-of-work.ts";

/** A source as one client reaches it: a server may support other revisions for other clients. */
export interface EraKey {
  readonly sourceId: string;
  /** Identifies the credential and the URL. Stored in the column `credential`. */
  readonly client: string;
}

/** Which revisions of its protocol a source supports. */
export interface SourceEra {
  /** The verdict as JSON. */
  readonly verdict: string;
  readonly determinedAt: EpochMs;
}

export function* findEra({ sourceId, client }: EraKey): UnitOfWork<SourceEra | undefined> {
  const record = yield* first(sql<{ verdict: string; determined_at: number }>`
    SELECT verdict, determined_at FROM tool_source_eras WHERE source_id = ${sourceId} AND credential = ${client}`);
  return record && { verdict: record.verdict, determinedAt: Number(record.determined_at) };
}

export function* saveEra({ sourceId, client }: EraKey, { verdict, determinedAt }: SourceEra): UnitOfWork<void> {
  yield* first(sql`
    INSERT INTO tool_source_eras (source_id, credential, verdict, determined_at)
    VALUES (${sourceId}, ${client}, ${verdict}, ${determinedAt})
    ON CONFLICT (source_id, credential) DO UPDATE
    SET verdict = excluded.verdict, determined_at = excluded.determined_at`);
}

/** Forgets what is known of a source. */
export function* forgetEras(sourceId: string): UnitOfWork<void> {
  yield* first(sql`DELETE FROM tool_source_eras WHERE source_id = ${sourceId}`);
}
