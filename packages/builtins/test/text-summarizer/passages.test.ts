import { estimateTokens } from "@yagate/lib/text/token-estimate";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { toChunks } from "../../src/text-summarizer/chunks.ts";
import { toPassages } from "../../src/text-summarizer/passages.ts";

const sentence = (length: number) => `${"word ".repeat(Math.ceil(length / 5)).trim()}.`;
const sizes = (text: string) => toPassages(text).map(({ start, end }) => end - start);

describe("passages", () => {
  it.each<[string, string, readonly string[]]>([
    ["nothing in blanks", " \n\n \t ", []],
    ["a short text is one", "One. Two.\n\nThree.", ["One. Two.\n\nThree."]],
    ["without the blanks around it", "  One.  ", ["One."]],
    ["a heading goes with what it is above", `Title\n\n${sentence(400)}`, [`Title\n\n${sentence(400)}`]],
    ["long paragraphs are apart", `${sentence(400)}\n\n${sentence(480)}`, [sentence(400), sentence(480)]],
    ["a longer one is cut where a sentence ends", `${sentence(350)} ${sentence(400)}`, [sentence(350), sentence(400)]],
    [
      "also where no blank follows",
      `${"字".repeat(350)}。${"字".repeat(400)}。`,
      [`${"字".repeat(350)}。`, `${"字".repeat(400)}。`],
    ],
    ["or where a line ends", `${"x".repeat(350)}\n${"y".repeat(400)}`, ["x".repeat(350), "y".repeat(400)]],
    ["or between words", `${"x".repeat(450)} ${"y".repeat(450)}`, ["x".repeat(450), "y".repeat(450)]],
  ])("%s", (_name, text, expected) => {
    expect(toPassages(text).map((passage) => passage.text)).toEqual(expected);
  });

  it("one without any border is cut all the same, and not inside of a character", () => {
    const text = `a${"\u{1f600}".repeat(1_500)}`;
    const passages = toPassages(text);
    expect(passages.map((passage) => passage.text).join("")).toBe(text);
    expect(passages.every((passage) => passage.text.isWellFormed())).toBe(true);
  });

  it("number themselves, say where they stand, lose nothing but blanks, and are no longer than they may be", () => {
    const piece = fc.constantFrom("a", "Wort ", ". ", "。", "\n", "\n\n", "  ", "\u{1f600}", "x".repeat(250));
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 60 }), (pieces) => {
        const text = pieces.join("");
        const passages = toPassages(text);
        let before = 0;
        for (const [index, passage] of passages.entries()) {
          expect(passage.number).toBe(index + 1);
          expect(text.slice(passage.start, passage.end)).toBe(passage.text);
          expect(text.slice(before, passage.start).trim()).toBe("");
          expect(passage.end - passage.start).toBeLessThanOrEqual(600);
          before = passage.end;
        }
        expect(text.slice(before).trim()).toBe("");
      }),
    );
  });

  it.each<[string, string]>([
    ["prose", `${sentence(90)} `.repeat(23_000)],
    ["one word", "x".repeat(2_097_152)],
    ["blank lines", "\n".repeat(2_097_152)],
    ["ends of sentences", ".".repeat(2_097_152)],
    ["blanks", " ".repeat(2_097_152)],
    ["closing marks", ".)".repeat(1_048_576)],
  ])("of 2 MB of %s are made in linear time", (_name, text) => {
    const before = process.threadCpuUsage();
    expect(sizes(text).every((size) => size <= 600)).toBe(true);
    expect(process.threadCpuUsage(before).user).toBeLessThan(10_000_000);
  });
});

describe("chunks", () => {
  const item = (tokens: number) => ({ text: "x".repeat(4 * (tokens - 12)) });

  it.each<[string, number[], number[]]>([
    ["none of nothing", [], []],
    ["one of what fits", [50, 50], [2]],
    ["another where it does not fit any more", [50, 51, 20], [1, 2]],
    ["one for what is too large for any", [20, 500, 20], [1, 1, 1]],
  ])("%s", (_name, tokens, expected) => {
    expect(toChunks(tokens.map(item), 100).map((chunk) => chunk.length)).toEqual(expected);
  });

  it.each<[string, number]>([
    ["", 0],
    ["abcd", 1],
    ["abcde", 2],
    ["字", 1],
    ["Привет", 3],
  ])("%j is taken for %i tokens", (text, tokens) => {
    expect(estimateTokens(text)).toBe(tokens);
  });
});
