import { DatabaseSync } from "node:sqlite";
import type { RelevanceSet } from "./relevance-set.ts";

/** Ranks the ids of documents for a query, best first. */
export type Ranker = (query: string) => readonly string[];

/** Plain FTS5: one column, the default tokenizer and `bm25`, and the words of the query joined by OR. */
export function createPlainBm25(documents: RelevanceSet["documents"]): Ranker {
  const database = new DatabaseSync(":memory:");
  database.exec("CREATE VIRTUAL TABLE plain USING fts5 (id UNINDEXED, text)");
  const insert = database.prepare("INSERT INTO plain (id, text) VALUES (?, ?)");
  for (const { id, title, text } of documents) insert.run(id, `${title}\n\n${text}`);
  const search = database.prepare("SELECT id FROM plain WHERE plain MATCH ? ORDER BY rank LIMIT 10");
  return (query) => {
    const words = query.match(/[\p{L}\p{N}]+/gu) ?? [];
    if (words.length === 0) return [];
    return search.all(words.map((word) => `"${word}"`).join(" OR ")).map((row) => String(row["id"]));
  };
}
