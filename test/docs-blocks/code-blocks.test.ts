import { expect, it } from "vitest";
import { codeBlocks } from "./code-blocks.ts";
import { blocksOfAllPages } from "./doc-pages.ts";

/** Checked by a test of this folder. */
const CHECKED = ["ts", "js", "sh", "json", "yaml"];
/** Checked on docs/verify-in-any-language.md only. */
const VERIFIERS = ["python", "go", "ruby", "php"];
/** For people: nothing in them can be wrong by itself. */
const FOR_PEOPLE = ["", "text", "http"];

it("every block is in a language that is checked, or is no code", () => {
  const unchecked = blocksOfAllPages().filter(
    ({ page, language }) =>
      ![...CHECKED, ...FOR_PEOPLE].includes(language) &&
      !(VERIFIERS.includes(language) && page === "docs/verify-in-any-language.md"),
  );
  expect(unchecked.map(({ page, line, language }) => `${page}:${line}: ${language}`)).toEqual([]);
});

it("reads language, marks, text and line", () => {
  expect(codeBlocks("a.md", "x\n```ts run continues\nlet a;\n\nlet b;\n```\n```\nplain\n```\n")).toEqual([
    { page: "a.md", line: 3, language: "ts", marks: ["run", "continues"], text: "let a;\n\nlet b;\n" },
    { page: "a.md", line: 8, language: "", marks: [], text: "plain\n" },
  ]);
});

it("reads a block inside a list without its indentation", () => {
  expect(codeBlocks("a.md", "1. x\n   ```sh\n   npm ci\n     deeper\n   ```\n")).toMatchObject([
    { language: "sh", text: "npm ci\n  deeper\n" },
  ]);
});

it("ends a block of four back quotes at four", () => {
  expect(codeBlocks("a.md", "````text\n```ts\n```\n````\n")).toMatchObject([
    { language: "text", text: "```ts\n```\n" },
  ]);
});

it("refuses a block that never ends", () => {
  expect(() => codeBlocks("a.md", "```ts\nlet a;\n")).toThrow("line 2 never ends");
});
