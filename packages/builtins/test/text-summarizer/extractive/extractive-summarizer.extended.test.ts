import { afterAll, describe, expect, it } from "vitest";
import { createExtractiveSummarizer } from "../../../src/text-summarizer/extractive/extractive-summarizer.ts";
import { EXTRACTIVE_LIMITS } from "../../../src/text-summarizer/extractive/extractive-summary.ts";
import { longText } from "./long-text.ts";

const summarizer = createExtractiveSummarizer();
afterAll(() => summarizer.close());

const IN_TIME = { timeoutMs: 60_000 };
const MOST = EXTRACTIVE_LIMITS.maxCharacters;

/** A text as long as may be. */
function fill(part: (index: number) => string): string {
  const parts: string[] = [];
  for (let length = 0; length < MOST; ) {
    const one = part(parts.length);
    parts.push(one);
    length += one.length;
  }
  return parts.join("").slice(0, MOST);
}

function wordMs(text: string): number {
  const begin = performance.now();
  for (const { isWordLike } of new Intl.Segmenter("en", { granularity: "word" }).segment(text)) void isWordLike;
  return performance.now() - begin;
}

describe("a text of 2 MB", () => {
  it("takes less than 5 s, or than 20 times as long as finding its words on a machine that is busy", async () => {
    const text = longText(MOST);
    await summarizer.summarize({ text: "It starts.", maxSentences: 1 }, IN_TIME);
    const atLeastMs = wordMs(text);
    const begin = performance.now();
    const { sentences, sentenceCount } = await summarizer.summarize({ text, maxSentences: 10 }, IN_TIME);
    expect(performance.now() - begin).toBeLessThan(Math.max(5_000, 20 * atLeastMs));
    expect(sentences).toHaveLength(10);
    expect(sentenceCount).toBeGreaterThan(10_000);
    expect(sentences.every(({ text: own, start, end }) => text.slice(start, end) === own)).toBe(true);
  });

  it.each<[string, () => string]>([
    ["of one sentence again and again", () => fill(() => "The quick brown fox jumps over the lazy dog. ")],
    ["of ideographs without a space", () => fill((index) => String.fromCharCode(0x4e00 + ((index * 7_919) % 20_000)))],
    ["of punctuation", () => fill((index) => "?!.,;:-("[(index * 31) % 8] ?? "")],
    ["of very short sentences", () => fill((index) => `X${index * 7_919}. `)],
    ["of words that never come again", () => fill((index) => `w${index * 7_919} v${index * 104_729} u${index}. `)],
    [
      "of emoji, marks and halves of surrogate pairs",
      () => fill((index) => ["👩‍👩‍👧", "\u0301", "\ud83d", "\udc00 "][index % 4] ?? ""),
    ],
    ["of brackets that never close", () => fill(() => "(A. ")],
    ["of tags that never end", () => fill(() => "<a ")],
  ])("%s stays within time and memory", async (_name, make) => {
    const text = make();
    const { sentences } = await summarizer.summarize({ text, maxSentences: 10 }, IN_TIME);
    expect(sentences.every(({ text: own, start, end }) => text.slice(start, end) === own)).toBe(true);
  });
});

describe("what it refuses", () => {
  it.each<[string, object]>([
    ["a longer text", { text: "a".repeat(MOST + 1), maxSentences: 1 }],
    ["no sentences", { text: "a", maxSentences: 0 }],
    ["a part of a sentence", { text: "a", maxSentences: 1.5 }],
    ["more sentences than it gives", { text: "a", maxSentences: EXTRACTIVE_LIMITS.maxSentences + 1 }],
    ["no characters", { text: "a", maxSentences: 1, maxCharacters: 0 }],
    ["a language that is no tag", { text: "a", maxSentences: 1, language: "not a tag" }],
  ])("%s", async (_name, change) => {
    const request = { text: "It is one.", maxSentences: 1, ...change };
    await expect(summarizer.summarize(request, IN_TIME)).rejects.toMatchObject({ code: "INVALID_ARGUMENTS" });
  });

  it("gives up in time, and when nobody waits", async () => {
    const text = longText(MOST);
    await expect(summarizer.summarize({ text, maxSentences: 3 }, { timeoutMs: 1 })).rejects.toMatchObject({
      reason: "time",
    });
    const request = { text: "It is one.", maxSentences: 1 };
    await expect(summarizer.summarize(request, { ...IN_TIME, signal: AbortSignal.abort() })).rejects.toMatchObject({
      reason: "aborted",
    });
    expect((await summarizer.summarize(request, IN_TIME)).sentences).toHaveLength(1);
  });
});
