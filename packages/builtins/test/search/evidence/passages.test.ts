import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { passagesOf } from "../../../src/search/evidence/passages.ts";

const TABLE = "| model | dB |\n| --- | --- |\n| A | 45 |\n| B | 52 |";
const CODE = "```ts\nconst a = 1;\n\n# no heading\nconst b = 2;\n```";
const PAGE = `# Pumps\n\nHow loud they are.\n\n## Figures\n\n${TABLE}\n\nAs measured.\n\n${CODE}\n\nThe end.`;

describe("passagesOf", () => {
  it("keeps tables and code whole, under their headings", () => {
    expect(passagesOf(PAGE).map(({ kind, text, headings }) => [kind, text, headings])).toEqual([
      ["text", "How loud they are.", ["Pumps"]],
      ["table", TABLE, ["Pumps", "Figures"]],
      ["text", "As measured.", ["Pumps", "Figures"]],
      ["code", CODE, ["Pumps", "Figures"]],
      ["text", "The end.", ["Pumps", "Figures"]],
    ]);
  });

  it("keeps a long table whole too", () => {
    const long = `| a | b |\n| --- | --- |\n${"| one | two |\n".repeat(300)}`.trim();
    expect(passagesOf(long).map(({ text }) => text)).toEqual([long]);
  });

  it("cuts long paragraphs between sentences", () => {
    const sentence = "The pump runs quietly at night, which neighbours like. ";
    const passages = passagesOf(sentence.repeat(60));
    expect(passages.length).toBeGreaterThan(3);
    for (const { text } of passages) expect(text).toMatch(/^The pump .* like\.$/);
  });

  it("takes code whose fence never ends", () => {
    expect(passagesOf("```\na\n\nb").map(({ kind, text }) => [kind, text])).toEqual([["code", "```\na\n\nb"]]);
  });

  it("shows every passage verbatim, in order, none too long unless it is whole by nature", () => {
    const line = fc.oneof(
      fc.constantFrom("", "# Title", "| a | b |", "```", "- item", "😀".repeat(50)),
      fc.string({ unit: "grapheme", maxLength: 400 }),
    );
    fc.assert(
      fc.property(fc.array(line, { maxLength: 30 }), (lines) => {
        const document = lines.join("\n");
        let end = 0;
        for (const passage of passagesOf(document)) {
          expect(passage.text).toBe(document.slice(passage.start, passage.end));
          expect(passage.start).toBeGreaterThanOrEqual(end);
          expect(passage.text.isWellFormed() || !document.isWellFormed()).toBe(true);
          if (passage.kind === "text") expect(passage.text.length).toBeLessThanOrEqual(1_800);
          end = passage.end;
        }
      }),
      { numRuns: 150 },
    );
  });

  it("is quick on what is long and strange", () => {
    const before = process.threadCpuUsage();
    for (const text of [
      "x".repeat(500_000),
      "| ".repeat(250_000),
      "\n".repeat(500_000),
      "# ".repeat(250_000),
      "a. ".repeat(170_000),
    ]) {
      passagesOf(text);
    }
    expect(process.threadCpuUsage(before).user).toBeLessThan(10_000_000);
  });
});
