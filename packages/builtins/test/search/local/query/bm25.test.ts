import { expect, it } from "vitest";
import { loadRelevanceSet } from "../../../../../bench/search/relevance-set.ts";
import { readDocumentTerms } from "../../../../src/search/local/index/document-terms.ts";
import { createIndexWriter } from "../../../../src/search/local/index/index-writer.ts";
import { openIndex } from "../../../../src/search/local/index/open-index.ts";
import { findCandidates } from "../../../../src/search/local/query/candidates.ts";
import { makeFolder, queryFor } from "../local-folder.ts";

const K1 = 1.2;
const B = 0.75;
const WEIGHTS = [3, 1.5, 1];

/**
 * BM25 as Robertson and Zaragoza write it ("The Probabilistic Relevance Framework", 2009), with the weights of columns on
 * the frequencies of terms, computed here from the terms alone.
 */
function bm25(documents: readonly (readonly (readonly string[])[])[], terms: readonly string[]): readonly number[] {
  const lengths = documents.map((columns) => columns.flat().length);
  const average = lengths.reduce((sum, length) => sum + length, 0) / documents.length;
  const scores = documents.map(() => 0);
  for (const term of terms) {
    const having = documents.filter((columns) => columns.flat().includes(term)).length;
    const idf = Math.max(1e-6, Math.log((documents.length - having + 0.5) / (having + 0.5)));
    for (const [index, columns] of documents.entries()) {
      const frequency = columns.reduce(
        (sum, words, column) => sum + (WEIGHTS[column] ?? 0) * words.filter((word) => word === term).length,
        0,
      );
      const length = (lengths[index] ?? 0) / average;
      scores[index] = (scores[index] ?? 0) + (idf * frequency * (K1 + 1)) / (frequency + K1 * (1 - B + B * length));
    }
  }
  return scores;
}

it("candidates have the scores of BM25, computed independently", async () => {
  const { documents } = await loadRelevanceSet();
  const some = documents.filter((_document, index) => index % 13 === 0);
  const { database } = openIndex(makeFolder().indexFile, "plain");
  const writer = createIndexWriter(database);
  const indexed = some.map(({ id, title, text }) => {
    // The names of folders count as words in headings.
    const folder = id.length % 2 === 0 ? "file" : "hash";
    const terms = readDocumentTerms(`${folder}/${id}.md`, { title, text, url: `local:///${id}.md` });
    writer.put({ path: `${id}.md`, modifiedNs: 0n, size: text.length }, id, terms, 0);
    return terms;
  });
  writer.commit();
  const units = indexed.flatMap(({ titleTerms, units: parts }) =>
    parts.map(({ headingTerms, passages }) =>
      [titleTerms, headingTerms, passages.map(({ terms }) => terms).join(" ")].map((text) => text.split(" ")),
    ),
  );
  for (const words of [["hash"], ["file", "name"], ["recht", "freiheit"], ["regex", "match", "string", "perl"]]) {
    const terms = words.map((form) => ({ forms: [form], documents: 1, weight: 1 }));
    const asked = { units: units.length, excluded: undefined };
    const { candidates: found, leftOut } = findCandidates(database, terms, queryFor("x"), asked);
    expect(leftOut).toEqual({ byDomain: 0, byDate: 0, byTerm: 0 });
    const expected = bm25(units, words);
    const best = Math.max(...expected);
    expect(found.length).toBeGreaterThan(0);
    for (const { unitId, score } of found) expect(score).toBeCloseTo((expected[unitId - 1] ?? 0) / best, 9);
  }
  database.close();
});
