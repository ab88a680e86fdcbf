import { expect, it } from "vitest";
import { compress } from "../../../src/search/evidence/compress.ts";
import { mergeMirrors } from "../../../src/search/evidence/near-duplicates.ts";
import { passagesOf } from "../../../src/search/evidence/passages.ts";
import { rankSources } from "../../../src/search/evidence/rank.ts";
import type { Source } from "../../../src/search/evidence/to-source.ts";
import { hit, NOW } from "../support/search-world.ts";

function sourceOf(number: number): Source {
  const url = `https://a${number}.example/`;
  const candidate = {
    hit: hit(url),
    url,
    key: url,
    provider: "brave",
    corpus: "web",
    position: number + 1,
  } as const;
  return {
    candidate,
    title: "Pumps",
    url,
    key: url,
    sourceType: "web_page",
    basis: "page",
    passages: passagesOf(`Pump ${number} makes noise. ${`Word ${number} of many. `.repeat(200)}`),
    snippet: "Pumps.",
    warnings: [],
    mirrors: [],
  };
}

/** How often others had their turn while this was done. */
async function turnsDuring(work: Promise<unknown>): Promise<number> {
  let turns = 0;
  let isOver = false;
  const count = () => {
    if (isOver) return;
    turns += 1;
    setImmediate(count);
  };
  setImmediate(count);
  await work;
  isOver = true;
  return turns;
}

const sources = Array.from({ length: 10 }, (_, number) => sourceOf(number));
const options = { queryTerms: ["pump", "noise"], phrases: [], now: NOW, halfLifeDays: 365 };

it.each<[string, () => Promise<unknown>]>([
  ["comparing pages", () => mergeMirrors(sources)],
  ["ranking pages", () => rankSources(sources, options)],
])("%s lets others have their turn between two of them", async (_name, work) => {
  expect(await turnsDuring(work())).toBeGreaterThanOrEqual(sources.length - 1);
});

it("choosing among hundreds of passages lets others have their turn", async () => {
  const passage = { start: 0, end: 1, text: "Pumps make noise. ".repeat(50), kind: "text", headings: [] } as const;
  const passages = Array.from({ length: 1_000 }, () => ({ passage, relevance: 1 }));
  const ranked = sources.map((source) => ({ source, score: 1, coverage: 1, relevance: 1, passages }));
  const work = compress(ranked, 4_000);
  expect(await turnsDuring(work)).toBeGreaterThan(0);
  const { sources: shown, droppedPassages } = await work;
  expect(shown.flatMap((one) => one.passages)).toHaveLength(1);
  expect(droppedPassages).toBe(9_999);
});
