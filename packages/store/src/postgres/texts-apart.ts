import type { ExecutionRecord } from "../events/execution-record.ts";
import { isShortened, readColumns, readRecord } from "../events/texts-apart.ts";
import type { Database, Purpose } from "./database.ts";
import { perform } from "./units.ts";

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
