import { defined } from "@yagate/lib/objects/defined";
import type { ContentWarning } from "../../web/port.ts";
import type { ProviderAttempt } from "../asking/ask-providers.ts";
import type { LeftOut } from "../asking/candidates.ts";
import type { QueryPlan } from "../plan-queries.ts";
import type { EvidenceClaim, EvidenceResult, EvidenceWarning, SearchEvidence } from "../search-evidence.ts";
import type { SearchRequest } from "../search-request.ts";
import type { Compressed, CompressedSource } from "./compress.ts";
import { confidenceOf } from "./confidence.ts";
import type { Passage } from "./passages.ts";

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
