import { foldExecutions } from "../read-models/fold-executions.ts";
import type { FoldExecution, ReadModelStep, ReadModelStore } from "../read-models/port.ts";
import { createReadModelQueries } from "../read-models/read-model-queries.ts";
import { sql } from "../sql.ts";
import { all, first, type UnitOfWork, type UnitRunner } from "../unit-of-work.ts";
import { createClaim } from "./claim.ts";
import type { Database } from "./database.ts";
import { postgresTables } from "./read-model-tables.ts";

/** An execution records a change for each of its commits. */
const CHANGES_PER_EXECUTION = 3;

/**
 * Takes changed executions and reads their events, in one transaction: an append that is committed later records its
 * change again.
 */
function* advance(fold: FoldExecution, limit: number): UnitOfWork<ReadModelStep> {
  const changed = yield* all(sql<{ id: string }>`
    DELETE FROM read_model_changes WHERE ctid = ANY(ARRAY(SELECT ctid FROM read_model_changes LIMIT ${limit * CHANGES_PER_EXECUTION}))
    RETURNING execution_id AS id`);
  const ids = new Set(changed.map(({ id }) => id));
  const { unfinished, failures } = yield* foldExecutions(postgresTables, yield* postgresTables.unread([...ids]), fold);
  if (unfinished.length > 0) {
    yield* all(sql`INSERT INTO read_model_changes (execution_id)
      SELECT json_array_elements_text(${JSON.stringify(unfinished)}::json)`);
  }
  return { isOver: ids.size === 0, failures };
}

function* hasChanged(): UnitOfWork<boolean> {
  return (yield* first(sql<{ id: string }>`SELECT execution_id AS id FROM read_model_changes LIMIT 1`)) !== undefined;
}

/** Creates the read models. Each append records which execution it has changed. */
export function createReadModels(database: Database, units: UnitRunner): ReadModelStore {
  return {
    ...createReadModelQueries(units, postgresTables),
    claim: createClaim(database, "read_models.follower"),
    async advance(fold, limit) {
      if (!(await units.read(hasChanged))) return { isOver: true, failures: [] };
      return units.write(() => advance(fold, limit));
    },
  };
}
