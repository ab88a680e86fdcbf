import type { SourceDocument } from "@yagate/protocol";
import type { OperationIdentity } from "@yagate/tool-sources/name-operations";

/** What a sync found in a document. */
export interface DocumentSummary {
  readonly document: SourceDocument;
  /** The operations of this document and earlier ones, by the names of their tools. */
  readonly operations: Readonly<Record<string, OperationIdentity>>;
}

/** Reads a stored summary. */
export function parseSummary(summary: string | null): DocumentSummary | undefined {
  // The gateway wrote the summary itself.
  return summary === null ? undefined : JSON.parse(summary);
}

/** Returns the document of a source as the API shows it; undefined before the first successful sync. */
export function shownDocument(summary: string | null): SourceDocument | undefined {
  return parseSummary(summary)?.document;
}
