import type { DatabaseSync, SQLInputValue } from "node:sqlite";
import type { SearchQuery } from "../../port.ts";
import type { QueryTerm } from "./query-terms.ts";
import { anyOf } from "./vocabulary.ts";

/** A document that may answer, by its best unit. */
export interface Candidate {
  readonly fileId: number;
  readonly unitId: number;
  /** BM25 of the unit, of the best one's: above 0, up to 1. */
  readonly score: number;
}

/** How much a term counts by where it stands: in the title, the headings, the text. */
const WEIGHTS = "bm25(3.0, 1.5, 1.0)";
const MOST_UNITS = 100;
/** In a folder of some size, a term that this part of the documents has finds nothing that another one doesn't. */
const COMMON_SHARE = 0.1;
const FEW_DOCUMENTS = 500;

/** Finds the documents that have any of the terms, best first by BM25. */
export function findCandidates(
  database: DatabaseSync,
  terms: readonly QueryTerm[],
  query: SearchQuery,
  units: number,
): readonly Candidate[] {
  const match = anyOf(tellingTerms(terms, units).flatMap(({ forms }) => forms));
  const { condition, values } = filterOf(query);
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
  return [...found.values()];
}

function tellingTerms(terms: readonly QueryTerm[], units: number): readonly QueryTerm[] {
  if (units < FEW_DOCUMENTS) return terms;
  const telling = terms.filter((term) => term.documents < units * COMMON_SHARE);
  return telling.length > 0 ? telling : terms;
}

function filterOf({ publishedAfter, publishedBefore, allowedDomains, blockedDomains }: SearchQuery): {
  readonly condition: string;
  readonly values: readonly SQLInputValue[];
} {
  const conditions: string[] = [];
  const values: SQLInputValue[] = [];
  const add = (condition: string, ...bound: readonly SQLInputValue[]) => {
    conditions.push(`AND ${condition}`);
    values.push(...bound);
  };
  if (publishedAfter !== undefined) add("substr(f.published_at, 1, 10) >= ?", publishedAfter.slice(0, 10));
  if (publishedBefore !== undefined) add("substr(f.published_at, 1, 10) <= ?", publishedBefore.slice(0, 10));
  const isBelow = "(f.host = ? OR substr(f.host, -length(?)) = ?)";
  const bound = (domain: string) => [domain.toLowerCase(), `.${domain.toLowerCase()}`, `.${domain.toLowerCase()}`];
  if (allowedDomains.length > 0) {
    add(`(${allowedDomains.map(() => isBelow).join(" OR ")})`, ...allowedDomains.flatMap(bound));
  }
  for (const domain of blockedDomains) add(`NOT ${isBelow}`, ...bound(domain));
  return { condition: conditions.join(" "), values };
}
