import { expect, it } from "vitest";
import { mean, measure } from "../../../../bench/search/measures.ts";
import { createPlainBm25 } from "../../../../bench/search/plain-bm25.ts";
import { idOfUrl, loadRelevanceSet, writeDocuments } from "../../../../bench/search/relevance-set.ts";
import { makeFolder, openTestIndex } from "./local-folder.ts";

it("ranks the half that it was not tuned on better than plain BM25, by 0.12 of nDCG@10 and more", async () => {
  const { documents, questions } = await loadRelevanceSet();
  const folder = makeFolder();
  await writeDocuments(folder.folder, documents);
  const index = openTestIndex(folder);
  await index.refresh();
  const plain = createPlainBm25(documents);
  const asked = questions.filter(({ half }) => half === "report");
  const local = mean(asked.map(({ query, relevant }) => measure(index.urls(query).map(idOfUrl), relevant).ndcg));
  const baseline = mean(asked.map(({ query, relevant }) => measure(plain(query), relevant).ndcg));
  expect(asked).toHaveLength(198);
  expect(local).toBeGreaterThan(0.72);
  expect(local - baseline).toBeGreaterThan(0.12);
});

// The worked example of Järvelin and Kekäläinen's measure with binary gains, by hand: 1/log2(2) + 1/log2(4) over the ideal.
it.each([
  [["a", "b", "c"], ["a"], { ndcg: 1, reciprocalRank: 1, recall: 1 }],
  [["b", "a", "c"], ["a"], { ndcg: 1 / Math.log2(3), reciprocalRank: 0.5, recall: 1 }],
  [["a", "x", "b"], ["a", "b"], { ndcg: 1.5 / (1 + 1 / Math.log2(3)), reciprocalRank: 1, recall: 1 }],
  [["x", "y"], ["a"], { ndcg: 0, reciprocalRank: 0, recall: 0 }],
  [[..."0123456789", "a"], ["a"], { ndcg: 0, reciprocalRank: 0, recall: 0 }],
])("measures %j against %j", (ranking, relevant, expected) => {
  const { ndcg, ...rest } = measure(ranking, relevant);
  expect(ndcg).toBeCloseTo(expected.ndcg, 12);
  expect(rest).toEqual({ reciprocalRank: expected.reciprocalRank, recall: expected.recall });
});
