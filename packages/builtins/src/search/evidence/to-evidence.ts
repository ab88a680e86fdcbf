import { defined } from "@yagate/lib/objects/defined";
import type { ContentWarning } from "../../web/port.ts";
import type { ProviderAttempt } from "../asking/ask-providers.ts";
import type { LeftOut } from "../asking/candidates.ts";
import type { QueryPlan } from "../plan-queries.ts";
import type { SearchRequest } from "../search-request.ts";
import type { Compressed, CompressedSource } from "./compress.ts";
import type { Passage } from "./passages.ts";
import type { RankedSource } from "./rank.ts";
import type { SourceType } from "./to-source.ts";

const MAX_MIRRORS = 5;
const MAX_HEADINGS = 3;

/** Builds the search result for a model, with its warnings. */
export function toEvidence(parts: {
  readonly request: SearchRequest;
  readonly plan: QueryPlan;
  readonly attempts: readonly ProviderAttempt[];
  readonly compressed: Compressed;
  readonly leftOut: LeftOut;
  readonly byLimit: number;
  readonly findInjections: (text: string) => readonly ContentWarning[];
}): SearchEvidence {
  const { request, plan, attempts, compressed, leftOut, byLimit } = parts;
  const results = compressed.sources.map((source, index) => toResult(source, index + 1));
  const warnings: EvidenceWarning[] = [...plan.warnings];
  const failed = attempts.filter(({ outcome }) => outcome === "failed" || outcome === "skipped");
  for (const message of new Set(failed.map((attempt) => attempt.message ?? ""))) {
    warnings.push({ code: "PROVIDER_FAILED", message });
  }
  const told = new Map(attempts.flatMap((attempt) => attempt.warnings ?? []).map((one) => [one.message, one.code]));
  for (const [message, code] of told) warnings.push({ code, message });
  for (const [index, { ranked }] of compressed.sources.entries()) {
    const shown = results[index];
    for (const { code, message } of ranked.source.warnings) warnings.push({ code, message, result: index + 1 });
    for (const { code, message } of parts.findInjections(shown === undefined ? "" : readTextOf(shown))) {
      warnings.push({ code, message, result: index + 1 });
    }
  }
  const { publishedAfter, publishedBefore } = plan.filters;
  const undated = results.filter(({ publishedAt }) => publishedAt === undefined).map(({ id }) => `[${id}]`);
  if ((publishedAfter !== undefined || publishedBefore !== undefined) && undated.length > 0) {
    const message = `the publication date of ${undated.join(", ")} is not known; it may be outside the requested period`;
    warnings.push({ code: "UNDATED_RESULTS", message });
  }
  const filters = filtersOf(plan);
  if (results.length === 0 && filters.length > 0) {
    const kept = leftOut.byDomain + leftOut.byDate + leftOut.byTerm;
    const counted = kept === 0 ? "" : `; they removed ${kept} ${kept === 1 ? "match" : "matches"}`;
    const message = `nothing was found with the filters ${filters.join(", ")}${counted}: there may be results without them`;
    warnings.push({ code: "NOTHING_WITHIN_FILTERS", message });
  }
  const rewritten = plan.texts.filter((text) => text !== request.query);
  return {
    query: request.query,
    rewrittenQueries: rewritten,
    provider: attempts.find(({ outcome }) => outcome === "answered")?.provider ?? null,
    providers: attempts.map(({ usd: _usd, retryAfterMs: _wait, warnings: _warnings, ...attempt }) => attempt),
    source_untrusted: true,
    results,
    warnings,
    omitted: { ...leftOut, byLimit, claims: compressed.droppedPassages },
    cache: { hit: false, ageSeconds: 0 },
  };
}

function toResult({ ranked, passages }: CompressedSource, id: number): EvidenceResult {
  const { source } = ranked;
  const { title, url, sourceType, siteName, publishedAt, fetchedAt, basis, snippet, mirrors } = source;
  return {
    id,
    title,
    url,
    sourceType,
    ...defined({ siteName, publishedAt }),
    ...(fetchedAt === undefined ? {} : { fetchedAt: new Date(fetchedAt).toISOString() }),
    basis,
    snippet,
    claims: passages.map(toClaim),
    confidence: confidenceOf(ranked),
    ...(mirrors.length === 0 ? {} : { mirrors: mirrors.slice(0, MAX_MIRRORS) }),
  };
}

function toClaim({ text, start, end, kind, headings }: Passage): EvidenceClaim {
  return {
    text,
    start,
    end,
    ...(kind === "text" ? {} : { kind }),
    ...(headings.length === 0 ? {} : { headings: headings.slice(-MAX_HEADINGS) }),
  };
}

/** Describes the filters of a search for the model. */
function filtersOf({ filters }: QueryPlan): readonly string[] {
  const { allowedDomains, blockedDomains, publishedAfter, publishedBefore, excludedTerms = [] } = filters;
  return [
    ...(allowedDomains.length === 0 ? [] : ["allowed domains"]),
    ...(blockedDomains.length === 0 ? [] : ["blocked domains"]),
    ...(publishedAfter === undefined ? [] : [`published since ${publishedAfter.slice(0, 10)}`]),
    ...(publishedBefore === undefined ? [] : [`published until ${publishedBefore.slice(0, 10)}`]),
    ...(excludedTerms.length === 0 ? [] : ["excluded words"]),
  ];
}

/** Returns all texts of a result that come from third parties. */
function readTextOf({ title, snippet, claims, siteName = "" }: EvidenceResult): string {
  const parts = claims.flatMap(({ text, headings = [] }) => [...headings, text]);
  return [title, siteName, snippet, ...parts].join("\n\n");
}

const WEIGHTS = { coverage: 0.5, relevance: 0.3, basis: 0.2 } as const;
/** The value of an excerpt relative to a page that was read, lower because an excerpt may omit what matters. */
const EXCERPT = 0.4;

/**
 * Rates how well the selected passages of a source match the query, from 0 to 1 with two decimals. Three parts add up:
 * the share of query terms that they contain (up to 0.5), the score of the best passage relative to the best of all
 * sources (up to 0.3), and 0.2 if the page was read, or 0.08 for an excerpt. The value does not indicate whether the
 * source is correct.
 */
function confidenceOf({ source, coverage, relevance }: RankedSource): number {
  const basis = source.basis === "page" ? 1 : EXCERPT;
  const confidence = WEIGHTS.coverage * coverage + WEIGHTS.relevance * relevance + WEIGHTS.basis * basis;
  return Math.round(confidence * 100) / 100;
}

/** A verbatim part of a source that matches the query. */
interface EvidenceClaim {
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
interface EvidenceResult {
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
interface EvidenceWarning {
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
