import { readdirSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { readTexts } from "../summaries/read-texts.ts";
import { rougeOf } from "../summaries/rouge.ts";
import { type Summarizer, summariesOf } from "../summaries/summaries-of.ts";

const texts = readTexts();
const bytesOf = (text: string) => new TextEncoder().encode(text).length;

describe("the texts", () => {
  it("are of several languages and kinds, with nothing that the manifest does not name", () => {
    expect(texts.length).toBeGreaterThanOrEqual(30);
    expect(new Set(texts.map(({ language }) => language)).size).toBeGreaterThanOrEqual(7);
    expect(new Set(texts.map(({ kind }) => kind)).size).toBe(4);
    const named = texts.flatMap(({ id }) => [`${id}.txt`, `${id}.abstract.txt`]).sort();
    const files = readdirSync(new URL("../summaries/data", import.meta.url)).filter((name) => name.endsWith(".txt"));
    expect(files.sort()).toEqual(named);
  });

  it.each(texts)(
    "of a document are in one half and don't hold their abstract: $id",
    ({ document, half, text, abstract }) => {
      expect(texts.filter((other) => other.document === document && other.half !== half)).toEqual([]);
      expect(text.replace(/\s+/g, " ")).not.toContain(abstract);
      expect(bytesOf(text)).toBeGreaterThan(2_500);
      expect(bytesOf(text)).toBeLessThan(45_000);
    },
  );
});

describe("ROUGE", () => {
  it.each<[string, string[], string[], { rouge1: number; rouge2: number; rougeL: number }]>([
    // By hand: 3 of 4 words, 1 of 3 pairs, "police the gunman" in order (the example of Lin 2004).
    [
      "of the published example",
      ["police kill the gunman"],
      ["police killed the gunman"],
      { rouge1: 0.75, rouge2: 1 / 3, rougeL: 0.75 },
    ],
    [
      "counts no punctuation and no capitals",
      ["Police, killed!"],
      ["police killed"],
      { rouge1: 1, rouge2: 1, rougeL: 1 },
    ],
    ["is 0 without a common word", ["one two"], ["three four"], { rouge1: 0, rouge2: 0, rougeL: 0 }],
  ])("%s", (_name, summary, reference, expected) => {
    const rouge = rougeOf(summary, reference, "en");
    for (const of of ["rouge1", "rouge2", "rougeL"] as const) expect(rouge[of]).toBeCloseTo(expected[of], 9);
  });

  it("finds words where no spaces are", () => {
    expect(rougeOf(["今天天气很好。"], ["今天天气不好。"], "zh").rouge1).toBeGreaterThan(0.4);
  });
});

describe("the extractive mode", () => {
  it("is better than sentences at random, and no worse than TextRank, on some of the held-out texts", () => {
    const ids = [
      "en-note-cves",
      "en-howto-pyporting",
      "it-handbook-case-study",
      "zh-handbook-solving-problems",
      "vi-handbook-case-study",
      "hu-tutorial-elements",
    ];
    const scores = texts.filter(({ id }) => ids.includes(id)).map((text) => summariesOf(text, 3));
    expect(scores).toHaveLength(ids.length);
    const mean = (of: Summarizer) => scores.reduce((sum, score) => sum + score[of].rouge1, 0) / scores.length;
    expect(mean("extractive")).toBeGreaterThan(mean("random"));
    expect(mean("extractive")).toBeGreaterThanOrEqual(mean("textRank"));
  });
});
