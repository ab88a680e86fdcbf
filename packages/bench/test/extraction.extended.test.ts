import { readFile } from "node:fs/promises";
import { createDocumentReader } from "@yagate/builtins/web/reading/document-reader";
import { expect, it } from "vitest";
import { measureExtraction } from "../extraction/measure-extraction.ts";
import { readPages, vectorFile } from "../extraction/read-pages.ts";
import { tokenScore } from "../extraction/token-f1.ts";

/** `npm run bench extraction` prints what these stand for. */
const FLOOR = { mean: 0.98, worst: 0.7 };

it("saved pages are read as people read them, and better than by Readability alone", async () => {
  const reader = createDocumentReader();
  const measured = await measureExtraction(reader).finally(() => reader.close());
  const mean = (of: "ours" | "readability") => measured.reduce((sum, one) => sum + one[of].f1, 0) / measured.length;
  expect(mean("ours")).toBeGreaterThan(FLOOR.mean);
  expect(mean("ours")).toBeGreaterThan(mean("readability"));
  for (const { page, ours } of measured) expect(ours.f1, page.id).toBeGreaterThan(FLOOR.worst);
});

it("the set has pages of all kinds, each with its source, its licence and what is expected", async () => {
  const pages = await readPages();
  const count = (kind: string) => pages.filter((page) => page.kind.includes(kind)).length;
  expect(pages.length).toBeGreaterThanOrEqual(40);
  expect(new Set(pages.map(({ generator }) => generator)).size).toBeGreaterThanOrEqual(10);
  expect(count("non-latin")).toBeGreaterThanOrEqual(8);
  expect(count("table")).toBeGreaterThanOrEqual(6);
  expect(count("code")).toBeGreaterThanOrEqual(6);
  expect(count("cookie-banner")).toBeGreaterThanOrEqual(4);
  for (const { id } of pages) expect(await readFile(vectorFile(`${id}.txt`), "utf8"), id).toMatch(/\p{L}/u);
});

it("nothing of a cookie banner or of a menu beside the text is read", async () => {
  const reader = createDocumentReader();
  try {
    for (const { id, kind } of await readPages()) {
      if (!kind.includes("cookie-banner")) continue;
      const body = await readFile(vectorFile(`${id}.html`));
      const { text } = await reader.read({ body, contentType: "text/html", url: "https://site.example/" });
      expect(text, id).not.toMatch(/partners store|best experience|Accept all|Allow cookies|Powered by|Recent Posts/);
    }
  } finally {
    await reader.close();
  }
});

it.each([
  // 2 of 3 words found, 2 of 4 expected: precision 2/3, recall 1/2, F1 4/7.
  ["some words", "one two five", "one two three four", 4 / 7],
  ["words that stand there twice", "one one", "one", 2 / 3],
  ["letter case and marks", "**One** `two`", "one TWO", 1],
  ["words without spaces", "日本語の文書", "日本語の文書", 1],
  ["nothing", "", "one", 0],
])("the score of %s", (_name, found, expected, f1) => {
  expect(tokenScore(found, expected).f1).toBeCloseTo(f1, 10);
});
