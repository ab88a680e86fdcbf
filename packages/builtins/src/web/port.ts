/** What a document was written in. */
export type DocumentFormat = "html" | "pdf" | "text" | "json" | "csv" | "feed";

/** Something that a reader of the content should know of it, by a stable code and in plain words. */
export interface ContentWarning {
  readonly code: string;
  readonly message: string;
}

/** A document as it came. */
export interface RawDocument {
  readonly body: Uint8Array;
  /** The header `Content-Type`, as it came. */
  readonly contentType: string | undefined;
  /** Where it came from, after redirects; relative links are resolved against it. */
  readonly url: string;
}

/** A document as readable text, with what it says of itself. Nothing in it is to be believed. */
export interface ReadDocument {
  readonly format: DocumentFormat;
  /** Markdown of HTML, with headings, lists, tables and code; plain text of the others. */
  readonly text: string;
  readonly title?: string;
  readonly byline?: string;
  readonly siteName?: string;
  readonly description?: string;
  /** As ISO 8601 where the document says it so that it can be read. */
  readonly publishedAt?: string;
  readonly modifiedAt?: string;
  readonly canonicalUrl?: string;
  /** A BCP 47 tag. */
  readonly language?: string;
  /** Of a PDF. */
  readonly pageCount?: number;
  /** The first links of the content, resolved, http and https only. */
  readonly links: readonly { readonly text: string; readonly url: string }[];
  readonly warnings: readonly ContentWarning[];
}

export interface ReadOptions {
  /** Longest text, in characters; what is cut is told in a warning. Default 2 Mi. */
  readonly maxCharacters?: number;
  /** Whose turns it takes, such as a workspace; turns go round. */
  readonly owner?: string;
  readonly signal?: AbortSignal;
}

/** Reads documents that strangers wrote, each in a thread with limits of its own. */
export interface DocumentReader {
  /** @throws DocumentError. */
  read(document: RawDocument, options?: ReadOptions): Promise<ReadDocument>;
  close(): Promise<void>;
}

/** `unsupported`: no format that can be read. `unreadable`: broken or encrypted. `limit`: too large, too deep, too slow. */
export type DocumentErrorReason = "unsupported" | "unreadable" | "limit" | "busy" | "aborted";

/** Why a document was not read, in words that a model may read. */
export class DocumentError extends Error {
  override readonly name = "DocumentError";
  readonly reason: DocumentErrorReason;

  constructor(reason: DocumentErrorReason, message: string, options?: ErrorOptions) {
    super(message, options);
    this.reason = reason;
  }
}

/** One page that is wanted. */
export interface PageRequest {
  readonly url: string;
  /** Asks the site's robots.txt first; default false. */
  readonly respectRobots?: boolean;
  /** Asked of the page's URL and of each that it redirects to, before anything is sent there. Default: anywhere. */
  readonly refusalOf?: (url: URL) => PageError | undefined;
  /** Longest text, in characters; default 2 Mi. */
  readonly maxCharacters?: number;
  /** Of the answer's body; default 10 MB. */
  readonly maxBytes?: number;
  /** For whom it is read, such as a workspace: one's pages never keep those of all others waiting. */
  readonly owner?: string;
  /** ms since the epoch. */
  readonly deadline: number;
  readonly signal: AbortSignal;
}

/** A page that was fetched and read. */
export interface FetchedPage {
  readonly document: ReadDocument;
  /** After redirects. */
  readonly url: string;
  readonly status: number;
  readonly bytes: number;
  /** ms since the epoch. */
  readonly fetchedAt: number;
}

/** Why a page was not fetched, by a code of the protocol and in words that a model may read. */
export class PageError extends Error {
  override readonly name = "PageError";
  readonly code: string;
  readonly isRetryable: boolean;
  readonly hint: string | undefined;

  constructor(
    code: string,
    message: string,
    options: ErrorOptions & { readonly isRetryable?: boolean; readonly hint?: string } = {},
  ) {
    super(message, options);
    this.code = code;
    this.isRetryable = options.isRetryable ?? false;
    this.hint = options.hint;
  }
}

/** Fetches pages of the open web through the guard, in whose networks nothing that the operator opened counts. */
export interface PageFetcher {
  /** @throws PageError. */
  fetch(request: PageRequest): Promise<FetchedPage>;
}
