import { sql } from "../sql.ts";
import { first, type UnitOfWork } from "../unit-of-work.ts";

/** The document of a source. */
export interface SourceDocumentRow {
  /** The uploaded text; null for a document with a URL. */
  readonly upload: string | null;
  /** What the latest successful sync found in the document; null before it. */
  readonly report: string | null;
}

export function* findSourceDocument(sourceId: string): UnitOfWork<SourceDocumentRow | undefined> {
  return yield* first(sql<SourceDocumentRow>`
    SELECT upload, report FROM tool_source_documents WHERE source_id = ${sourceId}`);
}

/** Reads what the latest successful sync found, without the uploaded text. */
export function* findSourceReport(sourceId: string): UnitOfWork<string | null> {
  const row = yield* first(sql<Pick<SourceDocumentRow, "report">>`
    SELECT report FROM tool_source_documents WHERE source_id = ${sourceId}`);
  return row?.report ?? null;
}

/** Writes the document of a source. Omitted fields stay unchanged. */
export function* writeSourceDocument(
  sourceId: string,
  { upload, report }: Partial<SourceDocumentRow>,
): UnitOfWork<void> {
  if (upload === undefined && report === undefined) return;
  yield* first(sql`
    INSERT INTO tool_source_documents (source_id, upload, report)
    VALUES (${sourceId}, ${upload ?? null}, ${report ?? null})
    ON CONFLICT (source_id) DO UPDATE
    SET upload = CASE WHEN ${upload === undefined ? 1 : 0} = 1 THEN tool_source_documents.upload ELSE excluded.upload END,
        report = CASE WHEN ${report === undefined ? 1 : 0} = 1 THEN tool_source_documents.report ELSE excluded.report END`);
}

export function* deleteSourceDocument(sourceId: string): UnitOfWork<void> {
  yield* first(sql`DELETE FROM tool_source_documents WHERE source_id = ${sourceId}`);
}
