/** The format of a document. */
export type DocumentFormat = "html" | "pdf" | "text" | "json" | "csv" | "feed";

/** A warning for the reader of the content: a stable code and a message. */
export interface ContentWarning {
  readonly code: string;
  readonly message: string;
}

/** A document as it was received. */
export interface RawDocument {
  readonly body: Uint8Array;
  /** The header `Content-Type`, as received. */
  readonly contentType: string | undefined;
  /** The document's URL after redirects, which is the base of its relative links. */
  readonly url: string;
}

/** A document as readable text, with its metadata. All of its values are untrusted. */
export interface ReadDocument {
  readonly format: DocumentFormat;
  /** Markdown for HTML, with headings, lists, tables and code; plain text for other formats. */
  readonly text: string;
  readonly title?: string;
  readonly byline?: string;
  readonly siteName?: string;
  readonly description?: string;
  /** ISO 8601, if the document states a date that can be parsed. */
  readonly publishedAt?: string;
  readonly modifiedAt?: string;
  readonly canonicalUrl?: string;
  /** BCP 47 tag. */
  readonly language?: string;
  /** The number of pages of a PDF. */
  readonly pageCount?: number;
  /** The first links of the content, as absolute http and https URLs. */
  readonly links: readonly { readonly text: string; readonly url: string }[];
  readonly warnings: readonly ContentWarning[];
}

export interface ReadOptions {
  /** Maximum length of the text, in characters. A longer text is cut, and a warning reports this. Default 2,097,152. */
  readonly maxCharacters?: number;
  /** The group for fair queueing, such as a workspace. */
  readonly owner?: string;
  readonly signal?: AbortSignal;
}

/** Reads untrusted documents, each in a thread with its own limits. */
export interface DocumentReader {
  /** Reads one document. @throws DocumentError. */
  read(document: RawDocument, options?: ReadOptions): Promise<ReadDocument>;
  close(): Promise<void>;
}

/**
 * `unsupported`: unknown format. `unreadable`: damaged or encrypted. `limit`: too large, too deeply nested or too slow.
 * `busy`: the queue is full or the wait was too long. `aborted`: the caller cancelled the job.
 */
export type DocumentErrorReason = "unsupported" | "unreadable" | "limit" | "busy" | "aborted";

/** The reason why a document was not read. The message is for a model. */
export class DocumentError extends Error {
  override readonly name = "DocumentError";
  readonly reason: DocumentErrorReason;

  constructor(reason: DocumentErrorReason, message: string, options?: ErrorOptions) {
    super(message, options);
    this.reason = reason;
  }
}

/** A request for one page. */
export interface PageRequest {
  readonly url: string;
  /** Whether to check the site's robots.txt first; default false. */
  readonly respectRobots?: boolean;
  /**
   * Called with the page's URL and each redirect target before a request is sent; returns an error for a URL that must
   * not be fetched. Default: all URLs are allowed.
   */
  readonly refusalOf?: (url: URL) => PageError | undefined;
  /** Maximum length of the text, in characters; default 2,097,152. */
  readonly maxCharacters?: number;
  /** Maximum size of the response body; default 10 MB. */
  readonly maxBytes?: number;
  /** The group for fair queueing, such as a workspace. The pages of one group do not delay those of other groups. */
  readonly owner?: string;
  /** ms since the epoch. */
  readonly deadline: number;
  readonly signal: AbortSignal;
}

/** A page that was fetched and read. */
export interface FetchedPage {
  readonly document: ReadDocument;
  /** The URL after redirects. */
  readonly url: string;
  readonly status: number;
  readonly bytes: number;
  /** ms since the epoch. */
  readonly fetchedAt: number;
}

/** The reason why a page was not fetched: an error code of the protocol, and a message for a model. */
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

/** Fetches pages of the open web through a guard that allows no private networks. */
export interface PageFetcher {
  /** Fetches and reads one page. @throws PageError. */
  fetch(request: PageRequest): Promise<FetchedPage>;
}
