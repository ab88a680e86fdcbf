import type { DatabaseSync } from "node:sqlite";

/** An index term and the number of documents that contain it. */
export interface CountedTerm {
  readonly form: string;
  readonly documents: number;
}

/** The terms of an index. */
export interface Vocabulary {
  /** Returns the number of units. A short document is one unit. */
  units(): number;
  /** Returns the languages of the stemmers in use. */
  languages(): readonly string[];
  countDocuments(term: string): number;
  /** Returns the most frequent terms with this prefix, at most 5. */
  startingWith(prefix: string): readonly CountedTerm[];
  /** Returns the terms that share the most letter trigrams with this one. Some may no longer occur in any document. */
  resembling(term: string): readonly string[];
}

const MOST_LOOKED_AT = 200;
const MOST_LONGER = 5;
const MOST_RESEMBLING = 80;

export function createVocabulary(database: DatabaseSync): Vocabulary {
  const count = database.prepare("SELECT count(*) AS units FROM units");
  // Jumps from one language to the next in the index, which has few languages but many files.
  const languages = database.prepare(`
    WITH RECURSIVE found (stems) AS (
      SELECT min(stems) FROM files
      UNION ALL
      SELECT (SELECT min(f.stems) FROM files f WHERE f.stems > found.stems) FROM found WHERE found.stems IS NOT NULL
    ) SELECT stems FROM found WHERE stems IS NOT NULL`);
  const one = database.prepare("SELECT doc FROM vocabulary WHERE term = ?");
  const longer = database.prepare("SELECT term, doc FROM vocabulary WHERE term >= ? AND term < ? LIMIT ?");
  const resembling = database.prepare(`
    SELECT known_terms.term FROM term_trigrams JOIN known_terms ON known_terms.id = term_trigrams.rowid
    WHERE term_trigrams MATCH ? ORDER BY term_trigrams.rank, known_terms.term LIMIT ?`);
  return {
    units: () => Number(count.get()?.["units"] ?? 0),
    languages: () => languages.all().map((row) => String(row["stems"])),
    countDocuments: (term) => Number(one.get(term)?.["doc"] ?? 0),
    startingWith(prefix) {
      return longer
        .all(prefix, `${prefix}\u{10ffff}`, MOST_LOOKED_AT)
        .map((row) => ({ form: String(row["term"]), documents: Number(row["doc"]) }))
        .sort((left, right) => right.documents - left.documents || (left.form < right.form ? -1 : 1))
        .slice(0, MOST_LONGER);
    },
    resembling(term) {
      const letters = [...term];
      const triples = letters.slice(2).map((_third, index) => letters.slice(index, index + 3).join(""));
      if (triples.length === 0) return [];
      return resembling.all(anyOf(triples), MOST_RESEMBLING).map((row) => String(row["term"]));
    },
  };
}

/** Creates a match expression for any of the terms, each taken literally. */
export function anyOf(terms: readonly string[]): string {
  return terms.map((term) => `"${term.replaceAll('"', '""')}"`).join(" OR ");
}
