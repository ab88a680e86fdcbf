import { DatabaseSync } from "node:sqlite";
import { describe, expect, it } from "vitest";
import { bm25 } from "../../../src/search/evidence/rank.ts";

const TEXTS = [
  "heat pump noise at night",
  "heat pump heat pump heat pump prices and subsidies for old houses in the mountains",
  "a bicycle pump",
  "noise of trains",
  "gas boilers and oil boilers compared",
  "solar panels on roofs",
  "insulation of walls and roofs",
];

/** SQLite's own BM25 (k1 = 1.2, b = 0.75), smaller is better there. */
function sqliteScores(query: string): ReadonlyMap<number, number> {
  const database = new DatabaseSync(":memory:");
  database.exec("CREATE VIRTUAL TABLE texts USING fts5(body, tokenize = 'unicode61')");
  const insert = database.prepare("INSERT INTO texts (rowid, body) VALUES (?, ?)");
  for (const [index, text] of TEXTS.entries()) insert.run(index, text);
  const rows = database.prepare("SELECT rowid, bm25(texts) AS score FROM texts WHERE texts MATCH ?").all(query);
  database.close();
  return new Map(rows.map((row) => [Number(row["rowid"]), -Number(row["score"])]));
}

describe("bm25", () => {
  const split = TEXTS.map((text) => text.split(" "));

  // Only the weight of a term differs (SQLite's can be negative): for one term the ratios of scores are the same.
  it.each(["heat", "pump", "noise", "roofs", "boilers", "and"])("rates %s as SQLite's FTS5 does", async (term) => {
    const theirs = sqliteScores(term);
    const { scores: ours } = await bm25(split, [term]);
    const [first = 0] = theirs.keys();
    for (const [index, score] of theirs) {
      expect((ours[index] ?? 0) / (ours[first] ?? 0)).toBeCloseTo(score / (theirs.get(first) ?? 0), 6);
    }
    expect(ours.filter((score) => score > 0)).toHaveLength(theirs.size);
  });

  it("is what the formula gives by hand", async () => {
    // Two texts of 2 and 4 words; n = 1 of N = 2: ln(1 + 1.5 / 1.5) = 0.6931. tf 1, length 2 of a mean of 3:
    // 1 × 2.2 / (1 + 1.2 × (0.25 + 0.75 × 2 / 3)) = 2.2 / 1.9 = 1.1579; the product is 0.8026.
    const { scores, weightOf } = await bm25(
      [
        ["a", "b"],
        ["c", "d", "e", "f"],
      ],
      ["a"],
    );
    expect(weightOf("a")).toBeCloseTo(Math.log(2), 10);
    expect(scores.map((score) => Number(score.toFixed(4)))).toEqual([0.8026, 0]);
  });

  it("has no opinion where there is nothing", async () => {
    expect((await bm25([], ["a"])).scores).toEqual([]);
    expect((await bm25([[]], ["a"])).scores).toEqual([0]);
  });
});
