import type { DatabaseSync, SQLInputValue } from "node:sqlite";
import type { SearchAnswer, SearchQuery } from "../../port.ts";
import type { QueryTerm } from "./query-terms.ts";
import { anyOf } from "./vocabulary.ts";

/** A document that may match the query, with its best unit. */
export interface Candidate {
  readonly fileId: number;
  readonly unitId: number;
  /** BM25 score of the unit relative to the best unit, above 0 and at most 1. */
  readonly score: number;
}

/** The weights of a term in the fields title, headings and text. */
const WEIGHTS = "bm25(3.0, 1.5, 1.0)";
const MOST_UNITS = 100;
/**
 * A term is common if at least this share of all units contains it. In a large index, common terms are not used to find
 * documents, unless all terms are common.
 */
const COMMON_SHARE = 0.1;
const FEW_DOCUMENTS = 500;

/** The matches for a query's terms in an index. */
export interface FoundCandidates {
  /** The candidates, best first by BM25. */
  readonly candidates: readonly Candidate[];
  /** How many of the best documents each filter removed. */
  readonly leftOut: Required<SearchAnswer>["leftOut"];
}

/**
 * Finds the documents that contain any of the terms.
 *
 * @param excluded - a match expression for the excluded terms, if there are any.
 */
export function findCandidates(
  database: DatabaseSync,
  terms: readonly QueryTerm[],
  query: SearchQuery,
  { units, excluded }: { readonly units: number; readonly excluded: string | undefined },
): FoundCandidates {
  const match = anyOf(tellingTerms(terms, units).flatMap(({ forms }) => forms));
  const filters = filtersOf(query, excluded);
  const condition = filters.map(({ sql }) => `AND ${sql}`).join(" ");
  const values = filters.flatMap((filter) => filter.values);
  const rows = database
    .prepare(`
      SELECT u.id, u.file_id, t.rank AS score FROM unit_terms t
      JOIN units u ON u.id = t.rowid JOIN files f ON f.id = u.file_id
      WHERE unit_terms MATCH ? AND t.rank MATCH ? ${condition} ORDER BY t.rank LIMIT ?`)
    .all(match, WEIGHTS, ...values, Math.max(MOST_UNITS, query.maxResults * 2));
  const best = Number(rows[0]?.["score"] ?? 0);
  const found = new Map<number, Candidate>();
  for (const row of rows) {
    const fileId = Number(row["file_id"]);
    if (found.has(fileId)) continue;
    const score = best === 0 ? 1 : Number(row["score"]) / best;
    found.set(fileId, { fileId, unitId: Number(row["id"]), score });
  }
  return { candidates: [...found.values()], leftOut: countLeftOut(database, match, filters) };
}

/**
 * Counts the documents that the filters removed, among the best ones. Each document counts for the first filter that
 * removes it.
 */
function countLeftOut(database: DatabaseSync, match: string, filters: readonly Filter[]): FoundCandidates["leftOut"] {
  const counts = { byDomain: 0, byDate: 0, byTerm: 0 };
  if (filters.length === 0) return counts;
  const passes = filters.map(({ sql }, index) => `${sql} AS passes_${index}`).join(", ");
  const rows = database
    .prepare(`
      SELECT u.file_id, ${passes} FROM unit_terms t
      JOIN units u ON u.id = t.rowid JOIN files f ON f.id = u.file_id
      WHERE unit_terms MATCH ? AND t.rank MATCH ? ORDER BY t.rank LIMIT ?`)
    .all(...filters.flatMap(({ values }) => values), match, WEIGHTS, MOST_UNITS);
  const counted = new Set<number>();
  for (const row of rows) {
    const fileId = Number(row["file_id"]);
    const failed = filters.find((_filter, index) => row[`passes_${index}`] !== 1);
    if (failed === undefined || counted.has(fileId)) continue;
    counted.add(fileId);
    counts[failed.reason] += 1;
  }
  return counts;
}

function tellingTerms(terms: readonly QueryTerm[], units: number): readonly QueryTerm[] {
  if (units < FEW_DOCUMENTS) return terms;
  const telling = terms.filter((term) => term.documents < units * COMMON_SHARE);
  return telling.length > 0 ? telling : terms;
}

interface Filter {
  readonly reason: keyof FoundCandidates["leftOut"];
  readonly sql: string;
  readonly values: readonly SQLInputValue[];
}

/** Creates the filters of a query. Documents without a date are kept, because most local documents have none. */
function filtersOf(
  { publishedAfter, publishedBefore, allowedDomains, blockedDomains }: SearchQuery,
  excluded: string | undefined,
): readonly Filter[] {
  const filters: Filter[] = [];
  const isBelow = "(f.host = ? OR substr(f.host, -length(?)) = ?)";
  const bound = (domain: string) => [domain.toLowerCase(), `.${domain.toLowerCase()}`, `.${domain.toLowerCase()}`];
  if (allowedDomains.length > 0) {
    const sql = `(${allowedDomains.map(() => isBelow).join(" OR ")})`;
    filters.push({ reason: "byDomain", sql, values: allowedDomains.flatMap(bound) });
  }
  for (const domain of blockedDomains) {
    filters.push({ reason: "byDomain", sql: `NOT ${isBelow}`, values: bound(domain) });
  }
  const addDay = (comparison: string, date: string | undefined) => {
    if (date === undefined) return;
    const sql = `(f.published_at IS NULL OR substr(f.published_at, 1, 10) ${comparison} ?)`;
    filters.push({ reason: "byDate", sql, values: [date.slice(0, 10)] });
  };
  addDay(">=", publishedAfter);
  addDay("<=", publishedBefore);
  if (excluded !== undefined) {
    const sql =
      "(u.file_id NOT IN (SELECT x.file_id FROM unit_terms e JOIN units x ON x.id = e.rowid WHERE e.unit_terms MATCH ?))";
    filters.push({ reason: "byTerm", sql, values: [excluded] });
  }
  return filters;
}
