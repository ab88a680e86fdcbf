import type { EventStore, ReleaseOutcome } from "../events/event-store.ts";
import { CommitBatcher } from "./commit-batcher.ts";
import { type Database, named } from "./database.ts";

type Release = Parameters<EventStore["release"]>[0];

interface ReleaseRecord {
  readonly id: string;
  readonly epoch: number;
  readonly was_suspended: boolean;
  readonly is_released: boolean;
}

/** As for appends, there is one statement per group, and rows are locked in the order of their ids. */
const RELEASE = named(`
  WITH input AS (
    SELECT * FROM unnest($1::text[], $2::bigint[], $3::bigint[], $4::bigint[]) AS i (id, epoch, expected_seq, wake_at)
  ), locked AS MATERIALIZED (
    SELECT e.id, e.last_seq, e.epoch, e.is_open, e.wake_at FROM executions e JOIN input i ON i.id = e.id
    ORDER BY e.id FOR UPDATE OF e
  ), released AS (
    UPDATE executions e SET owner = NULL, lease_until = -1, wake_at = i.wake_at
    FROM input i JOIN locked l ON l.id = i.id
    WHERE e.id = i.id AND l.epoch = i.epoch AND l.last_seq = i.expected_seq AND l.is_open = 1 AND l.wake_at IS NULL
    RETURNING e.id
  )
  SELECT l.id, l.epoch, l.wake_at IS NOT NULL AS was_suspended, r.id IS NOT NULL AS is_released
  FROM locked l LEFT JOIN released r ON r.id = l.id`);

function outcomeOf({ epoch }: Release, record: ReleaseRecord | undefined): ReleaseOutcome {
  if (record === undefined || record.epoch !== epoch) return "taken_over";
  // An earlier attempt, whose outcome was unknown, suspended the execution; a command may have made it due since.
  return record.is_released || record.was_suspended ? "released" : "behind";
}

/** Creates the batcher for suspending executions. The owner must close it. */
export function createReleaseBatcher(database: Database): CommitBatcher<Release, ReleaseOutcome> {
  return new CommitBatcher({
    keyOf: ({ executionId }) => executionId,
    bytesOf: ({ executionId }) => executionId.length,
    async perform(items) {
      const rows = await database.run<ReleaseRecord>("writes", RELEASE, [
        items.map(({ executionId }) => executionId),
        items.map(({ epoch }) => epoch),
        items.map(({ expectedSeq }) => expectedSeq),
        items.map(({ wakeAt }) => wakeAt),
      ]);
      const records = new Map(rows.map((row) => [row.id, row]));
      return items.map((item) => ({ result: outcomeOf(item, records.get(item.executionId)) }));
    },
    maxInFlight: 1,
  });
}
