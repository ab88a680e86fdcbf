import type { ExecutionRecord } from "../events/execution-record.ts";
import { readColumns, readRecord } from "../events/read-texts-apart.ts";
import { isShortened } from "../events/texts-apart.ts";
import { type Database, named, type Purpose } from "./database.ts";
import { perform } from "./units.ts";

/** How long a replica may still write the old form after the migration has been finished. */
const MAX_AGE_MS = 2_000;

/** The migration step that added the table of texts. */
const STEP = 14;
const FIND_FINISHED = named("SELECT version FROM yagate_migrations WHERE version = $1 AND finished_at IS NOT NULL");

/**
 * Creates the check for whether large texts may be stored separately, which older replicas could not read. After the
 * check has returned true once, it always returns true.
 *
 * @param onError - called with the error if the check fails; large texts are then not stored separately.
 */
export function createFormCheck(database: Database, onError: (error: unknown) => void): () => Promise<boolean> {
  let isFinished = false;
  let askedAt = Number.NEGATIVE_INFINITY;
  return async () => {
    if (isFinished || performance.now() - askedAt < MAX_AGE_MS) return isFinished;
    askedAt = performance.now();
    try {
      isFinished = (await database.run("reads", FIND_FINISHED, [STEP])).length > 0;
    } catch (error) {
      onError(error);
    }
    return isFinished;
  };
}

/**
 * Reads records, including their separately stored texts. Skips records whose execution has been deleted in the
 * meantime.
 */
export async function readRecords<Row extends ExecutionRecord>(
  database: Database,
  purpose: Purpose,
  records: readonly Row[],
): Promise<readonly Row[]> {
  if (!records.some(({ request, summary }) => isShortened(request) || isShortened(summary))) return records;
  return database.use(purpose, async (session) => {
    const read: Row[] = [];
    for (const record of records) {
      const whole = await perform(readRecord(record), session);
      if (whole !== undefined) read.push(whole);
    }
    return read;
  });
}

/** Reads JSON columns of one execution. Returns an empty list if the execution has been deleted in the meantime. */
export async function readTexts(
  database: Database,
  executionId: string,
  columns: readonly string[],
): Promise<readonly string[]> {
  if (!columns.some(isShortened)) return columns;
  return database.use("reads", async (session) => (await perform(readColumns(executionId, columns), session)) ?? []);
}
