/** The format of a document. */
export type DocumentFormat = "html" | "pdf" | "text" | "json" | "csv" | "feed";

/** A note for the reader of the content: a stable code and a message. */
export interface ContentWarning {
  readonly code: string;
  readonly message: string;
}

/** A document as received. */
export interface RawDocument {
  readonly body: Uint8Array;
  /** The header `Content-Type`, as received. */
  readonly contentType: string | undefined;
  /** Its URL after redirects; the base of relative links. */
  readonly url: string;
}

/** A document as readable text, with its metadata. All of it is untrusted. */
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
  /** For PDF. */
  readonly pageCount?: number;
  /** The first links of the content, absolute, http and https only. */
  readonly links: readonly { readonly text: string; readonly url: string }[];
  readonly warnings: readonly ContentWarning[];
}

export interface ReadOptions {
  /** Maximum length of the text, in characters; a warning says that it was cut. Default 2 Mi. */
  readonly maxCharacters?: number;
  /** The group for fair queuing, such as a workspace. */
  readonly owner?: string;
  readonly signal?: AbortSignal;
}

/** Reads untrusted documents, each in a thread with its own limits. */
export interface DocumentReader {
  /** @throws DocumentError. */
  read(document: RawDocument, options?: ReadOptions): Promise<ReadDocument>;
  close(): Promise<void>;
}

/**
 * `unsupported`: unknown format. `unreadable`: damaged or encrypted. `limit`: too large, too deeply nested, too slow.
 */
export type DocumentErrorReason = "unsupported" | "unreadable" | "limit" | "busy" | "aborted";

/** Why a document was not read, in words for a model. */
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
  /** Checks the site's robots.txt first; default false. */
  readonly respectRobots?: boolean;
  /** Called with the page's URL and each redirect target before a request is sent. Default: all URLs are allowed. */
  readonly refusalOf?: (url: URL) => PageError | undefined;
  /** Maximum length of the text, in characters; default 2 Mi. */
  readonly maxCharacters?: number;
  /** Maximum size of the response body; default 10 MB. */
  readonly maxBytes?: number;
  /** The group for fair queuing, such as a workspace: its pages do not delay those of other groups. */
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

/** Why a page was not fetched: a code of the protocol, and words for a model. */
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

/** Fetches pages of the open web through a guard without the operator's allowlisted networks. */
export interface PageFetcher {
  /** @throws PageError. */
  fetch(request: PageRequest): Promise<FetchedPage>;
}
