/** What is looked for. */
export interface SearchQuery {
  readonly text: string;
  /** 1 to 50. */
  readonly maxResults: number;
  /** Only what was published then or later; ISO 8601 dates, inclusive. */
  readonly publishedAfter?: string;
  readonly publishedBefore?: string;
  /** Only these domains and those below them; empty: all. */
  readonly allowedDomains: readonly string[];
  readonly blockedDomains: readonly string[];
  /** Words that must not be in it, for whoever can leave them out; default none. */
  readonly excludedTerms?: readonly string[];
  /** A BCP 47 tag, as `de`. */
  readonly language?: string;
  /** ISO 3166-1 alpha-2, as `CH`. */
  readonly country?: string;
}

/** One match, as a provider tells it. */
export interface SearchHit {
  readonly title: string;
  readonly url: string;
  /** A part that fits the query; plain text. */
  readonly snippet: string;
  /** The whole readable text, where the provider has it: then nothing is fetched. */
  readonly content?: string;
  /** ISO 8601. */
  readonly publishedAt?: string;
  readonly siteName?: string;
  readonly language?: string;
}

export interface SearchContext {
  /** Whose search it is. */
  readonly workspaceId: string;
  /** ms since the epoch. */
  readonly deadline: number;
  readonly signal: AbortSignal;
  /** Whether whoever keeps an index looks for changes before it answers; default false. */
  readonly isFresh?: boolean;
}

/** Something that a reader of an answer should know. */
export interface SearchWarning {
  readonly code: string;
  readonly message: string;
  /** In a moment it may be otherwise: the answer is not given again. */
  readonly isPassing?: boolean;
}

/** What a provider found, best first. */
export interface SearchAnswer {
  readonly hits: readonly SearchHit[];
  /** Requests that it took, each of which may have a price; default 1. */
  readonly requests?: number;
  /** Matches that the query's filters kept out, as far as the provider has counted them; default none. */
  readonly leftOut?: { readonly byDomain: number; readonly byDate: number; readonly byTerm: number };
  readonly warnings?: readonly SearchWarning[];
}

/** `misconfigured`: the key or the address is wrong. `rejected`: the provider would not take this query. */
export type SearchFailureReason =
  | "misconfigured"
  | "rejected"
  | "rate_limited"
  | "quota_exhausted"
  | "unavailable"
  | "bad_answer"
  | "aborted";

/** Why a provider found nothing; another one may. */
export class SearchFailure extends Error {
  override readonly name = "SearchFailure";
  readonly reason: SearchFailureReason;
  readonly retryAfterMs: number | undefined;
  /** Requests that were answered, each of which may have a price; default 1 for `bad_answer`, otherwise 0. */
  readonly requests: number;
  /** Whether another one was made of which nobody knows; default so for `unavailable` and `aborted`. */
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

/** Somebody who finds documents. */
export interface SearchProvider {
  /** As `brave`. */
  readonly name: string;
  /** What it searches: the open web, or documents of the operator's own. */
  readonly corpus: "web" | "local";
  /** @throws SearchFailure. */
  search(query: SearchQuery, context: SearchContext): Promise<SearchAnswer>;
  /**
   * Names the state of what it searches: answers of another state are not given again. Absent where nobody knows it, as of
   * the web.
   */
  revision?(): Promise<string>;
  close(): Promise<void>;
}
