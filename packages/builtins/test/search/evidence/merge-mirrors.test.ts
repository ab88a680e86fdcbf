import { describe, expect, it } from "vitest";
import { mergeMirrors } from "../../../src/search/evidence/near-duplicates.ts";
import type { Source } from "../../../src/search/evidence/to-source.ts";
import { hit } from "../support/search-world.ts";

/** A page with this text, whose words were all read. */
function pageOf(name: string, position: number, words: readonly string[]): Source {
  const url = `https://${name}.example/`;
  const text = words.join(" ");
  return {
    candidate: { hit: hit(url), url, key: url, provider: "brave", corpus: "web", position },
    title: name,
    url,
    key: url,
    sourceType: "web_page",
    basis: "page",
    passages: [{ start: 0, end: text.length, text, kind: "text", headings: [] }],
    snippet: "",
    warnings: [],
    mirrors: [],
  };
}

const wordsOf = (count: number, prefix = "w") => Array.from({ length: count }, (_, index) => `${prefix}${index}x`);
/** The words with one of so many replaced: each replacement changes five sequences. */
const changed = (words: readonly string[], every: number) =>
  words.map((word, index) => (index % every === 2 ? `n${index}` : word));

async function isMerged(one: readonly string[], other: readonly string[]): Promise<boolean> {
  const sources = await mergeMirrors([pageOf("one", 1, one), pageOf("other", 2, other)]);
  return sources.length === 1;
}

describe("two pages are one source", () => {
  const words = wordsOf(1_000);

  it.each([
    ["with the same words", words, true],
    ["with 81 % of the sequences of both", changed(words, 48), true],
    ["with 74 % of the sequences of both", changed(words, 33), false],
    ["with no common sequence", wordsOf(1_000, "v"), false],
    ["of which one is the beginning of the other", words.slice(0, 500), true],
    ["of which one has 90 % of the sequences of the other's beginning", changed(words.slice(0, 500), 50), true],
    ["of which one has 80 % of the sequences of the other's beginning", changed(words.slice(0, 500), 25), false],
    ["of which one is half of the other, and half new", [...words.slice(0, 500), ...wordsOf(500, "v")], false],
  ])("%s: %#", async (_how, other, expected) => {
    expect(await isMerged(words, other)).toBe(expected);
  });

  it("if their first 2,000 words are the same, and not if only those behind are", async () => {
    const first = wordsOf(2_000);
    expect(await isMerged([...first, ...wordsOf(2_000, "v")], [...first, ...wordsOf(2_000, "u")])).toBe(true);
    const half = wordsOf(1_000);
    expect(await isMerged([...half, ...wordsOf(1_000, "v")], [...half, ...wordsOf(1_000, "u")])).toBe(false);
    const rest = wordsOf(4_000, "r");
    expect(await isMerged([...wordsOf(2_000, "v"), ...rest], [...wordsOf(2_000, "u"), ...rest])).toBe(false);
  });
});
