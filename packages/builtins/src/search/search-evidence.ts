import type { ProviderAttempt } from "./asking/ask-providers.ts";
import type { SourceType } from "./evidence/source.ts";

/** What a source says on the query: a part of it, verbatim. */
export interface EvidenceClaim {
  readonly text: string;
  /** Where it stands in the text that was read; UTF-16 units. */
  readonly start: number;
  readonly end: number;
  /** Absent for prose. */
  readonly kind?: "table" | "code";
  /** Headings that it stands under, outermost first. */
  readonly headings?: readonly string[];
}

/** One source. */
export interface EvidenceResult {
  /** What it is cited by, as `[1]`. */
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
  /** 0 to 1: see `confidenceOf`. */
  readonly confidence: number;
  readonly mirrors?: readonly string[];
}

/** Something a reader should know, and of which result. */
export interface EvidenceWarning {
  readonly code: string;
  readonly message: string;
  readonly result?: number;
}

/** What a search found. Nothing in it was checked: whoever wrote the pages wrote it. */
export interface SearchEvidence {
  readonly query: string;
  /** What was asked for in its place. */
  readonly rewrittenQueries: readonly string[];
  /** Who answered; null where nobody found anything. */
  readonly provider: string | null;
  readonly providers: readonly Omit<ProviderAttempt, "usd" | "retryAfterMs" | "warnings">[];
  readonly source_untrusted: true;
  readonly results: readonly EvidenceResult[];
  readonly warnings: readonly EvidenceWarning[];
  /** What was found and is not shown. */
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
