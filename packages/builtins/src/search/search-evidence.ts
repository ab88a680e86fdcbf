import type { ProviderAttempt } from "./asking/ask-providers.ts";
import type { SourceType } from "./evidence/source.ts";

/** A verbatim part of a source that matches the query. */
export interface EvidenceClaim {
  readonly text: string;
  /** Position in the text that was read, in UTF-16 code units. */
  readonly start: number;
  readonly end: number;
  /** Absent for prose. */
  readonly kind?: "table" | "code";
  /** The headings above the claim, outermost first. */
  readonly headings?: readonly string[];
}

/** One source of a result. */
export interface EvidenceResult {
  /** The number for citations, such as `[1]`. */
  readonly id: number;
  readonly title: string;
  readonly url: string;
  readonly sourceType: SourceType;
  readonly siteName?: string;
  /** ISO 8601. */
  readonly publishedAt?: string;
  readonly fetchedAt?: string;
  readonly basis: "page" | "excerpt";
  readonly snippet: string;
  readonly claims: readonly EvidenceClaim[];
  /** How well the source matches the query, 0 to 1: see `confidenceOf`. */
  readonly confidence: number;
  readonly mirrors?: readonly string[];
}

/** A warning for the reader, and the result to which it applies. */
export interface EvidenceWarning {
  readonly code: string;
  readonly message: string;
  readonly result?: number;
}

/** The result of a search. Its content comes from third parties and is not verified. */
export interface SearchEvidence {
  readonly query: string;
  /** The queries that were run instead of the original one. */
  readonly rewrittenQueries: readonly string[];
  /** The first provider that found something; null if nothing was found. */
  readonly provider: string | null;
  readonly providers: readonly Omit<ProviderAttempt, "usd" | "retryAfterMs" | "warnings">[];
  readonly source_untrusted: true;
  readonly results: readonly EvidenceResult[];
  readonly warnings: readonly EvidenceWarning[];
  /** Results that were found but are not shown. */
  readonly omitted: {
    readonly byDomain: number;
    readonly byDate: number;
    readonly byTerm: number;
    readonly duplicates: number;
    readonly byLimit: number;
    readonly claims: number;
  };
  readonly cache: { readonly hit: boolean; readonly ageSeconds: number };
}
