import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { summarizeText } from "../../../../../src/tools/builtin/text-summarizer/extractive/summarize-text.ts";

const HARBOUR = `# The harbour of Brel

The harbour of Brel was built in 1820. Nobody remembers who paid for it.

For a hundred years the harbour shipped salt from Brel to the islands. Gulls like salt less than fish. The salt ships left the harbour of Brel every Tuesday.

Lunch was served at noon. Today the old harbour of Brel ships no salt, and its quay is a market.`;

function chosen(text: string, maxSentences: number, more: { maxCharacters?: number; language?: string } = {}) {
  return summarizeText({ text, maxSentences, ...more }).sentences.map((sentence) => sentence.text);
}

describe("what is chosen", () => {
  it("says most of the text, in its order", () => {
    const summary = summarizeText({ text: HARBOUR, maxSentences: 3 });
    expect(summary.sentences.map(({ text }) => text)).toEqual(
      expect.arrayContaining(["The harbour of Brel was built in 1820."]),
    );
    const starts = summary.sentences.map(({ start }) => start);
    expect(starts).toEqual(starts.toSorted((one, other) => one - other));
    expect(summary.sentences.every(({ text }) => text.includes("harbour"))).toBe(true);
    expect(summary).toMatchObject({ language: "en", sentenceCount: 7 });
  });

  it("is the same every time", () => {
    expect(summarizeText({ text: HARBOUR, maxSentences: 4 })).toEqual(
      summarizeText({ text: HARBOUR, maxSentences: 4 }),
    );
  });

  it("never says the same twice", () => {
    const text = "The salt ships left on Tuesday. The salt ships left on Tuesday! A market stands on the old quay now.";
    expect(chosen(text, 3)).toEqual(["The salt ships left on Tuesday.", "A market stands on the old quay now."]);
  });

  it.each<[string, readonly string[]]>([
    [
      "notes",
      [
        "Call the plumber about the kitchen sink",
        "Order new tiles for the bathroom",
        "Ask whether the tiles can be delivered on Monday",
        "Pay the man for the lights in the hall",
      ],
    ],
    [
      "notes in small letters",
      [
        "call the plumber about the kitchen sink",
        "order new tiles for the bathroom",
        "ask anna whether the tiles can be delivered on monday",
        "buy paint",
      ],
    ],
    [
      "a log",
      Array.from(
        { length: 30 },
        (_, at) => `2026-11-21T09:${10 + at}:00Z INFO worker ${at} took job ${at * 7} from mails`,
      ),
    ],
    [
      "a log in which few lines are sentences",
      [
        "[info] server started on port 8080",
        "[warn] the cache is almost full",
        "[error] connection to the database lost.",
        "[info] connection restored after 3 seconds",
        "[info] 17 jobs were taken up again",
      ],
    ],
  ])("takes the lines of %s for sentences", (_name, lines) => {
    const { sentences, sentenceCount } = summarizeText({ text: lines.join("\n"), maxSentences: 1 });
    expect(sentenceCount).toBe(lines.length);
    expect(sentences).toHaveLength(1);
    expect(lines).toContain(sentences[0]?.text);
  });

  it.each([
    [
      "wrapped prose",
      "The quick brown fox jumps over the dog and then it runs into the wood where nobody\nfinds it until the morning comes and all the birds begin to sing about what they saw\nin the night while everybody was asleep and dreaming of other things than foxes.",
    ],
    ["one clause on each line", "We build tools\nthat people use,\nand we test them\nbefore we ship."],
    [
      "verse",
      "Through the wood the river winds,\nOver stones and under trees,\nTill the silver sea it finds,\nSinging softly in the breeze.",
    ],
  ])("leaves the lines of %s together", (_name, text) => {
    expect(chosen(text, 1)).toEqual([text]);
  });

  it("keeps to a budget of characters, but always has one sentence", () => {
    const short = chosen(HARBOUR, 5, { maxCharacters: 120 });
    expect(short.join("").length).toBeLessThanOrEqual(120);
    expect(short.length).toBeGreaterThan(0);
    expect(chosen(HARBOUR, 5, { maxCharacters: 1 })).toHaveLength(1);
  });

  it("is the whole text where that is short enough", () => {
    expect(chosen("One thing is here. Another thing is there.", 5)).toHaveLength(2);
  });

  it("is a heading where there is nothing else", () => {
    expect(chosen("only a title", 3)).toEqual(["only a title"]);
  });

  it.each(["", "   \n\n ", "...", "```\ncode();\n```"])("is nothing of %j", (text) => {
    expect(summarizeText({ text, maxSentences: 3 })).toMatchObject({ sentences: [], language: null });
  });

  it("is in the language that was named, whatever the text looks like", () => {
    expect(summarizeText({ text: HARBOUR, maxSentences: 1, language: "en-GB" }).language).toBe("en-GB");
    expect(summarizeText({ text: "Ann z. B. Ost kam. Er ging.", maxSentences: 9, language: "de" }).sentenceCount).toBe(
      2,
    );
  });
});

describe("any text", () => {
  const text = fc.oneof(
    fc.string({ unit: "binary", maxLength: 300 }),
    fc.string({
      unit: fc.constantFrom(
        ". ",
        "A",
        "b ",
        "\n",
        "# ",
        "- ",
        "```",
        "|",
        "\ud83d",
        "\udc00",
        "。",
        "あ",
        "(",
        "<a",
        "\r\n",
      ),
      maxLength: 80,
    }),
  );

  it("gives sentences as they stand in it, apart from each other and in its order", () => {
    fc.assert(
      fc.property(text, fc.integer({ min: 1, max: 8 }), (given, maxSentences) => {
        const { sentences, sentenceCount } = summarizeText({ text: given, maxSentences });
        let last = 0;
        for (const { text: own, start, end } of sentences) {
          expect(given.slice(start, end)).toBe(own);
          expect(own.trim()).toBe(own);
          expect(start).toBeGreaterThanOrEqual(last);
          expect(end).toBeGreaterThan(start);
          last = end;
        }
        expect(sentences.length).toBeLessThanOrEqual(Math.min(maxSentences, sentenceCount));
      }),
      { numRuns: 150 },
    );
  });
});
