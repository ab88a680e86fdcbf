import { DatabaseSync } from "node:sqlite";
import { expect, it } from "vitest";
import { loadRelevanceSet } from "../../../../../../test/bench/search/relevance-set.ts";
import { porterStem } from "../../../../src/search/local/language/porter.ts";

/** What SQLite's own `porter` tokenizer makes of each word, in their order. */
function stemsBySqlite(words: readonly string[]): readonly string[] {
  const database = new DatabaseSync(":memory:");
  database.exec("CREATE VIRTUAL TABLE t USING fts5 (word, tokenize = 'porter ascii')");
  database.exec("CREATE VIRTUAL TABLE v USING fts5vocab (t, instance)");
  const put = database.prepare("INSERT INTO t (rowid, word) VALUES (?, ?)");
  for (const [index, word] of words.entries()) put.run(index + 1, word);
  return database
    .prepare("SELECT term FROM v ORDER BY doc")
    .all()
    .map((row) => String(row["term"]));
}

it("stems every word of the Perl FAQ as SQLite's porter tokenizer does", async () => {
  const { documents } = await loadRelevanceSet();
  const text = documents.filter(({ id }) => id.startsWith("perlfaq")).map((document) => document.text.toLowerCase());
  // SQLite leaves words of one or two letters as they are, and so do we; y at the beginning is a case of its own.
  const words = [...new Set(text.join(" ").match(/[a-z]{3,}/g))];
  expect(words.length).toBeGreaterThan(4_000);
  const expected = stemsBySqlite(words);
  const different = words.flatMap((word, index) => {
    const stem = porterStem(word);
    return stem === expected[index] ? [] : [`${word}: ${stem}, not ${expected[index]}`];
  });
  expect(different).toEqual([]);
});
