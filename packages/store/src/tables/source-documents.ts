import { sql } from "../sql.ts";
import { first, type UnitOfWork } from "../unit-of-work.ts";

/** The document of a source. */
export interface SourceDocumentRow {
  /** The uploaded text; null for a document with a URL. */
  readonly upload: string | null;
  /** What the latest successful sync found in the document; null before it. */
  readonly summary: string | null;
}

export function* findSourceDocument(sourceId: string): UnitOfWork<SourceDocumentRow | undefined> {
  return yield* first(sql<SourceDocumentRow>`
    SELECT upload, report AS summary FROM tool_source_documents WHERE source_id = ${sourceId}`);
}

/** Reads what the latest successful sync found, without the uploaded text. */
export function* findDocumentSummary(sourceId: string): UnitOfWork<string | null> {
  const row = yield* first(sql<Pick<SourceDocumentRow, "summary">>`
    SELECT report AS summary FROM tool_source_documents WHERE source_id = ${sourceId}`);
  return row?.summary ?? null;
}

/** Writes the document of a source. Omitted fields stay unchanged. */
export function* writeSourceDocument(
  sourceId: string,
  { upload, summary }: Partial<SourceDocumentRow>,
): UnitOfWork<void> {
  if (upload === undefined && summary === undefined) return;
  yield* first(sql`
    INSERT INTO tool_source_documents (source_id, upload, report)
    VALUES (${sourceId}, ${upload ?? null}, ${summary ?? null})
    ON CONFLICT (source_id) DO UPDATE
    SET upload = CASE WHEN ${upload === undefined ? 1 : 0} = 1 THEN tool_source_documents.upload ELSE excluded.upload END,
        report = CASE WHEN ${summary === undefined ? 1 : 0} = 1 THEN tool_source_documents.report ELSE excluded.report END`);
}

export function* deleteSourceDocument(sourceId: string): UnitOfWork<void> {
  yield* first(sql`DELETE FROM tool_source_documents WHERE source_id = ${sourceId}`);
}
