/** The untrusted content of a file in the folder. */
export interface LocalDocument {
  readonly title: string;
  /** Markdown or plain text. */
  readonly text: string;
  /** The URL that models cite, stated in the document or derived from its path. */
  readonly url: string;
  /** ISO 8601. */
  readonly publishedAt?: string;
  readonly siteName?: string;
  /** BCP 47 tag; absent if the document states no language and none was detected. */
  readonly language?: string;
}

/** The reason why a file is not in the index. */
export type SkipReason = "binary" | "too_large" | "unreadable" | "empty";

/** The outcome of reading a file. */
export type FileReading = { readonly document: LocalDocument } | { readonly skipped: SkipReason };

/** How a file is read: as text, or as a document that a document reader converts. */
export type FileKind =
  | { readonly read: "markdown" | "text" }
  | { readonly read: "document"; readonly contentType: string };

const KINDS: ReadonlyMap<string, FileKind> = new Map([
  ["md", { read: "markdown" }],
  ["markdown", { read: "markdown" }],
  ["mdx", { read: "markdown" }],
  ["txt", { read: "text" }],
  ["text", { read: "text" }],
  ["rst", { read: "text" }],
  ["adoc", { read: "text" }],
  ["org", { read: "text" }],
  ["html", { read: "document", contentType: "text/html" }],
  ["htm", { read: "document", contentType: "text/html" }],
  ["xhtml", { read: "document", contentType: "application/xhtml+xml" }],
  ["pdf", { read: "document", contentType: "application/pdf" }],
  ["json", { read: "document", contentType: "application/json" }],
  ["csv", { read: "document", contentType: "text/csv" }],
]);

/**
 * Returns how a file is read, judging by its extension. Returns `undefined` if such files are not indexed.
 *
 * @param path - relative to the folder.
 */
export function fileKindOf(path: string): FileKind | undefined {
  return KINDS.get(/\.([^./]+)$/.exec(path)?.[1]?.toLowerCase() ?? "");
}
