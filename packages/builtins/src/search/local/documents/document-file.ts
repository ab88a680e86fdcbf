/** What a file of the folder says once it was read. Nothing in it is to be believed. */
export interface LocalDocument {
  readonly title: string;
  /** Markdown or plain text. */
  readonly text: string;
  /** What models cite: of the document itself, or by its place in the folder. */
  readonly url: string;
  /** ISO 8601. */
  readonly publishedAt?: string;
  readonly siteName?: string;
  /** BCP 47; absent where neither the document nor its words tell. */
  readonly language?: string;
}

/** Why a file is not in the index. */
export type SkipReason = "binary" | "too_large" | "unreadable" | "empty";

/** What came of reading a file. */
export type FileReading = { readonly document: LocalDocument } | { readonly skipped: SkipReason };

/** How a file is read: as text by ourselves, or as a document in a thread of its own. */
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
 * How a file is read, by the ending of its name; `undefined`: not at all.
 *
 * @param path - relative to the folder.
 */
export function fileKindOf(path: string): FileKind | undefined {
  return KINDS.get(/\.([^./]+)$/.exec(path)?.[1]?.toLowerCase() ?? "");
}
