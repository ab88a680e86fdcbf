import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { firstHeading, splitPassages } from "../../../../src/search/local/documents/passages.ts";

const withoutSpace = (text: string) => text.replace(/\s+/g, "");

describe("passages", () => {
  it("are the sections of a text, under the headings that they are in", () => {
    const text = "intro\n\n# Guide\n\nabout\n\n## Refunds\n\nmoney\n\n### Fees\n\nnone\n\n## Returns\n\ngoods";
    expect(splitPassages(text).map(({ heading, text: part }) => [heading, part.split("\n\n").at(-1)])).toEqual([
      ["", "intro"],
      ["Guide", "about"],
      ["Guide › Refunds", "money"],
      ["Guide › Refunds › Fees", "none"],
      ["Guide › Returns", "goods"],
    ]);
  });

  // CommonMark 0.31.2, sections 4.2 and 4.5: what is a heading, and what is not.
  it.each([
    ["# foo", "foo"],
    ["###### foo", "foo"],
    ["   ### foo ###", "foo"],
    ["#\tfoo", "foo"],
    ["## foo `bar` **baz**", "foo bar baz"],
    ["# [a link](https://example.com)", "a link"],
    ["####### foo", undefined],
    ["#5 bolt", undefined],
    ["#hashtag", undefined],
    ["    # foo", undefined],
  ])("%j has the heading %j", (line, heading) => {
    expect(firstHeading(line)).toBe(heading);
    expect(splitPassages(`${line}\n\ntext`).at(-1)?.heading).toBe(heading ?? "");
  });

  it("are not cut at comments in code", () => {
    const passages = splitPassages("# Setup\n\n```sh\n# install\nnpm ci\n\n# run\n```\n\n~~~\n# more\n~~~\n\nthen");
    expect(passages.map(({ heading }) => heading)).toEqual(["Setup"]);
  });

  it("of a long section are about 1 000 characters, cut at paragraphs", () => {
    const paragraph = `${"word ".repeat(80).trim()}.`;
    const passages = splitPassages(Array.from({ length: 20 }, () => paragraph).join("\n\n"));
    expect(passages.length).toBeGreaterThan(4);
    for (const { text } of passages) expect(text.split("\n\n")).toEqual(text.split("\n\n").map(() => paragraph));
    expect(Math.max(...passages.map(({ text }) => text.length))).toBeLessThanOrEqual(2_000);
  });

  it.each([
    ["lines", "one two three\n".repeat(1_000)],
    ["sentences", "One two three. ".repeat(1_000)],
    ["Chinese sentences", "我们的服务很好。".repeat(1_000)],
    ["nothing to cut at", "x".repeat(10_000)],
    ["pairs of surrogates", "😀".repeat(5_000)],
  ])("of a paragraph that is too long are whole: %s", (_name, text) => {
    const passages = splitPassages(text);
    expect(Math.max(...passages.map((passage) => passage.text.length))).toBeLessThanOrEqual(2_000);
    expect(passages.every((passage) => passage.text.isWellFormed())).toBe(true);
    expect(withoutSpace(passages.map((passage) => passage.text).join(""))).toBe(withoutSpace(text));
  });

  it("together are the whole text, whatever it is", () => {
    const line = fc.oneof(fc.string(), fc.constantFrom("", "# a", "## b", "```", "~~~", "text"));
    fc.assert(
      fc.property(fc.array(line, { maxLength: 60 }), (lines) => {
        const text = lines.join("\n");
        const all = splitPassages(text).map((passage) => passage.text);
        expect(withoutSpace(all.join("\n\n"))).toBe(withoutSpace(text));
      }),
    );
  });
});
