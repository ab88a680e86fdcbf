/** What to search for. */
export interface SearchQuery {
  readonly text: string;
  /** Number of results, 1 to 50. */
  readonly maxResults: number;
  /** Only results published on or after this date, ISO 8601. */
  readonly publishedAfter?: string;
  readonly publishedBefore?: string;
  /** Only results from these domains and their subdomains. Empty: all domains. */
  readonly allowedDomains: readonly string[];
  readonly blockedDomains: readonly string[];
  /** Words to exclude, for providers that support this; default: none. */
  readonly excludedTerms?: readonly string[];
  /** BCP 47 tag, such as `de`. */
  readonly language?: string;
  /** ISO 3166-1 alpha-2 code, such as `CH`. */
  readonly country?: string;
}

/** One match as returned by the provider. */
export interface SearchHit {
  readonly title: string;
  readonly url: string;
  /** An excerpt that matches the query, in plain text. */
  readonly snippet: string;
  /** The full readable text, if the provider has it. The page is then not fetched. */
  readonly content?: string;
  /** ISO 8601. */
  readonly publishedAt?: string;
  readonly siteName?: string;
  readonly language?: string;
}

export interface SearchContext {
  /** The workspace that searches. */
  readonly workspaceId: string;
  /** ms since the epoch. */
  readonly deadline: number;
  readonly signal: AbortSignal;
  /** Whether a provider with an index must check for changes first; default false. */
  readonly isFresh?: boolean;
}

/** A warning for the reader of the result. */
export interface SearchWarning {
  readonly code: string;
  readonly message: string;
  /** Whether the condition is temporary. If so, the result is not cached. */
  readonly isPassing?: boolean;
}

/** The matches that a provider found, best first. */
export interface SearchAnswer {
  readonly hits: readonly SearchHit[];
  /** Number of billable requests; default 1. */
  readonly requests?: number;
  /** Number of matches that each filter removed, if the provider counts them; default: none. */
  readonly leftOut?: { readonly byDomain: number; readonly byDate: number; readonly byTerm: number };
  readonly warnings?: readonly SearchWarning[];
}

/**
 * Why a provider failed. `misconfigured`: the key or the URL is wrong. `rejected`: the provider does not accept this
 * query.
 */
export type SearchFailureReason =
  | "misconfigured"
  | "rejected"
  | "rate_limited"
  | "quota_exhausted"
  | "unavailable"
  | "bad_answer"
  | "aborted";

/** A failure of one provider. Another provider may succeed. */
export class SearchFailure extends Error {
  override readonly name = "SearchFailure";
  readonly reason: SearchFailureReason;
  readonly retryAfterMs: number | undefined;
  /** Number of requests that received a response and may be billed; default 1 for `bad_answer`, otherwise 0. */
  readonly requests: number;
  /** Whether further requests may have been billed; default true for `unavailable` and `aborted`. */
  readonly isUnknown: boolean;

  constructor(
    reason: SearchFailureReason,
    message: string,
    options: ErrorOptions & {
      readonly retryAfterMs?: number;
      readonly requests?: number;
      readonly isUnknown?: boolean;
    } = {},
  ) {
    super(message, options);
    this.reason = reason;
    this.retryAfterMs = options.retryAfterMs;
    this.requests = options.requests ?? (reason === "bad_answer" ? 1 : 0);
    this.isUnknown = options.isUnknown ?? (reason === "unavailable" || reason === "aborted");
  }
}

/** A service or an index that finds documents. */
export interface SearchProvider {
  /** The name of the provider, such as `brave`. */
  readonly name: string;
  /** Whether the provider searches the web or the operator's own documents. */
  readonly corpus: "web" | "local";
  /** Runs one query. @throws SearchFailure. */
  search(query: SearchQuery, context: SearchContext): Promise<SearchAnswer>;
  /**
   * Returns the current state of the documents that the provider searches. Results cached for another state are not
   * reused. Absent if the state can't be determined, as for the web.
   */
  revision?(): Promise<string>;
  close(): Promise<void>;
}
