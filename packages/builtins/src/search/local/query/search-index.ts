import type { DatabaseSync } from "node:sqlite";
import { stem } from "@yagate/lib/language/stem";
import { tokenize } from "@yagate/lib/language/tokenize";
import { defined } from "@yagate/lib/objects/defined";
import type { SearchAnswer, SearchHit, SearchQuery } from "../../port.ts";
import { type Candidate, findCandidates } from "./candidates.ts";
import { excludedMatch } from "./excluded-terms.ts";
import { coverageOf, createMatcher, type PassageMatch, passageScoreOf, proximityOf } from "./match-passage.ts";
import { type QueryTerm, readQueryTerms } from "./query-terms.ts";
import { snippetOf } from "./snippet.ts";
import { createVocabulary } from "./vocabulary.ts";

/**
 * The weight of each ranking signal in a document's score. Tuned on one half of the relevance set of `npm run bench`.
 */
export interface RankWeights {
  readonly document: number;
  readonly passage: number;
  readonly coverage: number;
  readonly titleCoverage: number;
  readonly proximity: number;
  readonly language: number;
  readonly recency: number;
}

export const RANK_WEIGHTS: RankWeights = {
  document: 0.5,
  passage: 0.5,
  coverage: 0.1,
  titleCoverage: 0.1,
  proximity: 0.15,
  language: 0.1,
  recency: 0.02,
};

/** Number of the best candidates that are scored in detail. */
const MOST_RERANKED = 30;
const MAX_CONTENT_CHARACTERS = 200_000;
const YEAR_MS = 31_557_600_000;

/** Runs queries on an index. */
export interface IndexSearch {
  /**
   * Returns the best documents first; documents with equal scores are in the order of their paths.
   *
   * @param now - ms since the epoch.
   */
  search(query: SearchQuery, now: number): SearchAnswer;
}

export function createIndexSearch(database: DatabaseSync, weights: RankWeights = RANK_WEIGHTS): IndexSearch {
  const vocabulary = createVocabulary(database);
  const readFile = database.prepare(
    "SELECT path, title, url, published_at, site_name, language, stems FROM files WHERE id = ?",
  );
  const readUnit = database.prepare("SELECT text, terms FROM passages WHERE unit_id = ? ORDER BY number");
  const readPassages = database.prepare(
    "SELECT text FROM passages JOIN units ON units.id = unit_id WHERE file_id = ? ORDER BY unit_id, number",
  );

  function rate(candidate: Candidate, asked: Asked): Rated {
    const { terms, match, query, now } = asked;
    const file = readFile.get(candidate.fileId) ?? {};
    const stems = String(file["stems"]);
    const titleTerms = tokenize(String(file["title"])).map(({ term }) => stem(term, stems));
    const title = match(titleTerms.join(" "));
    const passages = readUnit.all(candidate.unitId).map((row) => {
      const found = match(String(row["terms"]));
      const quality =
        weights.passage * passageScoreOf(found, terms) +
        weights.coverage * coverageOf([found, title], terms) +
        weights.proximity * Math.max(proximityOf(found, terms), proximityOf(title, terms));
      return { text: String(row["text"]), found, quality };
    });
    const best = passages.reduce(
      (one, other) => (other.quality > one.quality ? other : one),
      passages[0] ?? NO_PASSAGE,
    );
    const publishedAt = textOf(file["published_at"]);
    const language = textOf(file["language"]) ?? stems;
    const score =
      weights.document * candidate.score +
      best.quality +
      weights.titleCoverage * coverageOf([title], terms) +
      weights.language * (isSameLanguage(language, query.language) ? 1 : 0) +
      weights.recency * recencyOf(publishedAt, now);
    return { candidate, file, text: best.text, found: best.found, score, publishedAt, language };
  }

  function toHit(
    { candidate, file, text, found, publishedAt, language }: Rated,
    terms: readonly QueryTerm[],
  ): SearchHit {
    const siteName = textOf(file["site_name"]);
    return {
      title: String(file["title"]),
      url: String(file["url"]),
      snippet: snippetOf(text, found, terms),
      content: contentOf(candidate.fileId),
      language,
      ...defined({ publishedAt, siteName }),
    };
  }

  function contentOf(fileId: number): string {
    let content = "";
    for (const row of readPassages.iterate(fileId)) {
      const text = String(row["text"]);
      if (content.length + text.length > MAX_CONTENT_CHARACTERS) break;
      content = content === "" ? text : `${content}\n\n${text}`;
    }
    return content;
  }

  return {
    search(query, now) {
      const terms = readQueryTerms(query.text, query.language, vocabulary);
      if (terms.length === 0) return { hits: [] };
      const asked: Asked = { terms, match: createMatcher(terms), query, now };
      const excluded = excludedMatch(query.excludedTerms ?? [], vocabulary.languages());
      const { candidates, leftOut } = findCandidates(database, terms, query, { units: vocabulary.units(), excluded });
      const rated = candidates.slice(0, Math.max(MOST_RERANKED, query.maxResults)).map((one) => rate(one, asked));
      rated.sort((left, right) => right.score - left.score || (pathOf(left) < pathOf(right) ? -1 : 1));
      return { hits: rated.slice(0, query.maxResults).map((one) => toHit(one, terms)), leftOut };
    },
  };
}

const NO_PASSAGE = { text: "", found: { places: [], length: 0 }, quality: 0 };

interface Asked {
  readonly terms: readonly QueryTerm[];
  readonly match: (text: string) => PassageMatch;
  readonly query: SearchQuery;
  readonly now: number;
}

interface Rated {
  readonly candidate: Candidate;
  readonly file: Readonly<Record<string, unknown>>;
  readonly text: string;
  readonly found: PassageMatch;
  readonly score: number;
  readonly publishedAt: string | undefined;
  readonly language: string;
}

function pathOf({ file }: Rated): string {
  return String(file["path"]);
}

function textOf(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

function isSameLanguage(one: string, wanted: string | undefined): boolean {
  return wanted !== undefined && one.slice(0, 2).toLowerCase() === wanted.slice(0, 2).toLowerCase();
}

/** Rates how recent a document is: 1 for a new document, less than half after a year. */
function recencyOf(publishedAt: string | undefined, now: number): number {
  const moment = publishedAt === undefined ? Number.NaN : Date.parse(publishedAt);
  return Number.isNaN(moment) ? 0 : Math.exp(-Math.max(0, now - moment) / YEAR_MS);
}
