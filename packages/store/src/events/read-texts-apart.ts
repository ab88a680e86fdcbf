import { sql } from "../sql.ts";
import { first, type UnitOfWork } from "../unit-of-work.ts";
import type { ExecutionRecord } from "./execution-record.ts";
import { hashesIn, isShortened, putTextsBack } from "./texts-apart.ts";

function* findTexts(executionId: string, hashes: ReadonlySet<string>): UnitOfWork<ReadonlyMap<string, string>> {
  const texts = new Map<string, string>();
  for (const hash of hashes) {
    const row = yield* first(sql<{ text: string }>`
      SELECT text FROM execution_texts WHERE execution_id = ${executionId} AND hash = ${hash}`);
    if (row !== undefined) texts.set(hash, row.text);
  }
  return texts;
}

function* isThere(executionId: string): UnitOfWork<boolean> {
  return (yield* first(sql<{ id: string }>`SELECT id FROM executions WHERE id = ${executionId}`)) !== undefined;
}

/**
 * Reads JSON columns of one execution, including texts that are stored separately.
 *
 * @returns undefined if the execution was deleted between two reads.
 * @throws YagateError `UNAVAILABLE` if a text is missing.
 */
export function* readColumns(
  executionId: string,
  columns: readonly string[],
): UnitOfWork<readonly string[] | undefined> {
  if (!columns.some(isShortened)) return columns;
  const hashes = new Set(columns.flatMap(hashesIn));
  const texts = yield* findTexts(executionId, hashes);
  if (texts.size < hashes.size && !(yield* isThere(executionId))) return undefined;
  return columns.map((stored) => putTextsBack(stored, texts));
}

/**
 * Reads a row of `executions` with its request, including texts that are stored separately; see {@link readColumns}.
 */
export function* readRecord<Row extends ExecutionRecord>(record: Row): UnitOfWork<Row | undefined> {
  if (!isShortened(record.request) && !isShortened(record.summary)) return record;
  const [request, summary] = (yield* readColumns(record.id, [record.request, record.summary])) ?? [];
  return request === undefined || summary === undefined ? undefined : { ...record, request, summary };
}
