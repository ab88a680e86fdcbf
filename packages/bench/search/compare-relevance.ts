import { join } from "node:path";
import { createLocalSearch } from "@yagate/builtins/search/local/local-search";
import { bootstrapInterval, type Measures, mean, measure } from "./measures.ts";
import { createPlainBm25 } from "./plain-bm25.ts";
import { idOfUrl, type JudgedQuestion, type RelevanceSet, writeDocuments } from "./relevance-set.ts";

interface Judged {
  readonly question: JudgedQuestion;
  readonly plain: Measures;
  readonly local: Measures;
}

/** Answers every question of the set with both rankings. */
async function judge(folder: string, { documents, questions }: RelevanceSet): Promise<readonly Judged[]> {
  await writeDocuments(join(folder, "documents"), documents);
  const plain = createPlainBm25(documents);
  const search = await createLocalSearch({
    folder: join(folder, "documents"),
    indexFile: join(folder, "search.db"),
    now: Date.now,
    refreshEveryMs: 0,
  });
  try {
    await search.refresh();
    const judged: Judged[] = [];
    for (const question of questions) {
      const { hits } = await search.search(
        { text: question.query, maxResults: 10, allowedDomains: [], blockedDomains: [] },
        { workspaceId: "ws_bench", deadline: Date.now() + 60_000, signal: new AbortController().signal },
      );
      const { query, relevant } = question;
      const ranking = hits.map(({ url }) => idOfUrl(url));
      judged.push({ question, plain: measure(plain(query), relevant), local: measure(ranking, relevant) });
    }
    return judged;
  } finally {
    await search.close();
  }
}

/** nDCG@10 of the local provider and of plain BM25, on the half that the ranking was not tuned on, and on the other. */
export async function compareRelevance(folder: string, set: RelevanceSet): Promise<void> {
  const judged = await judge(folder, set);
  console.log(`\nRelevance: ${set.questions.length} questions over ${set.documents.length} documents`);
  print(
    "all, tuning half",
    judged.filter(({ question }) => question.half === "tuning"),
  );
  const report = judged.filter(({ question }) => question.half === "report");
  print("all, reported half", report);
  for (const group of new Set(report.map(({ question }) => question.group))) {
    print(
      group,
      report.filter(({ question }) => question.group === group),
    );
  }
}

function print(label: string, judged: readonly Judged[]): void {
  const figure = (side: "plain" | "local", name: keyof Measures) =>
    mean(judged.map((one) => one[side][name])).toFixed(3);
  const gains = judged.map(({ plain, local }) => local.ndcg - plain.ndcg);
  const interval = bootstrapInterval(gains).map((end) => end.toFixed(3));
  console.log(`  ${label} (${judged.length} questions)`);
  for (const side of ["plain", "local"] as const) {
    const name = side === "plain" ? "plain BM25" : "local provider";
    const figures = `nDCG@10 ${figure(side, "ndcg")}, MRR ${figure(side, "reciprocalRank")}, recall@10 ${figure(side, "recall")}`;
    console.log(`    ${name.padEnd(16)} ${figures}`);
  }
  console.log(`    gain in nDCG@10  ${mean(gains).toFixed(3)} (95 %: ${interval.join(" to ")})`);
}
