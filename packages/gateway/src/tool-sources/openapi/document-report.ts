import type { SourceDocument } from "@yagate/protocol";
import type { OperationIdentity } from "@yagate/tool-sources/name-operations";

/** What a sync found in a document. */
export interface DocumentReport {
  readonly document: SourceDocument;
  /** The operations of this document and earlier ones, by the names of their tools. */
  readonly operations: Readonly<Record<string, OperationIdentity>>;
}

/** Reads a stored report. */
export function parseReport(report: string | null): DocumentReport | undefined {
  // The gateway wrote the report itself.
  return report === null ? undefined : JSON.parse(report);
}

/** Returns the document of a source as the API shows it; undefined before the first successful sync. */
export function shownDocument(report: string | null): SourceDocument | undefined {
  return parseReport(report)?.document;
}
