import { DatabaseSync } from "node:sqlite";
import { createToolIndex } from "@yagate/tool-search/tool-index";
import { mean } from "../search/measures.ts";
import type { Catalogue, Question } from "./questions.ts";

/** Finds the best tools for a query. */
export type FindTools = (query: string, limit: number) => readonly string[];

/** The search of the gateway. */
export async function gatewaySearch({ tools }: Pick<Catalogue, "tools">): Promise<FindTools> {
  const index = await createToolIndex(tools);
  return (query, limit) => index.search({ query, limit });
}

/** SQLite's full-text search over names and descriptions, for comparison. */
export function plainFullText({ tools }: Pick<Catalogue, "tools">): FindTools {
  const database = new DatabaseSync(":memory:");
  database.exec("CREATE VIRTUAL TABLE tools USING fts5 (name, description, tokenize = 'porter')");
  const insert = database.prepare("INSERT INTO tools (name, description) VALUES (?, ?)");
  for (const { name, description } of tools) insert.run(name, description);
  const select = database.prepare("SELECT name FROM tools WHERE tools MATCH ? ORDER BY rank LIMIT ?");
  return (query, limit) => {
    const words = query.match(/[\p{L}\p{N}]+/gu) ?? [];
    if (words.length === 0) return [];
    return select.all(words.map((word) => `"${word}"`).join(" OR "), limit).map((row) => String(row["name"]));
  };
}

/** The share of the wanted tools that are among the first `limit` of a query, as a mean over the questions. */
export function recall(find: FindTools, questions: readonly Question[], limit = 5): number {
  return mean(
    questions.map(({ queries, wanted }) => {
      const found = new Set(queries.flatMap((query) => find(query, limit)));
      return wanted.filter((name) => found.has(name)).length / wanted.length;
    }),
  );
}
