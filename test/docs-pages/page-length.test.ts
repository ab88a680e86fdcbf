import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { repositoryRoot } from "../../scripts/repository-root.ts";

/** A longer page becomes a guide and a reference. */
const MAX_WORDS = 2_000;

/** Pages that consist of one table or are written for the repository's developers. */
const EXEMPT = new Set(["cli-reference.md", "errors.md", "glossary.md"]);

const wordsIn = (text: string) => text.split(/\s+/).filter((word) => word !== "").length;

it(`no page of docs/ has more than ${MAX_WORDS} words`, () => {
  const docs = join(repositoryRoot, "docs");
  const lengths = globSync(["*.md", "frameworks/*.md"], { cwd: docs }).map((page) => ({
    page,
    words: wordsIn(readFileSync(join(docs, page), "utf8")),
  }));
  expect(lengths.length).toBeGreaterThan(60);
  expect(lengths.filter(({ page, words }) => words > MAX_WORDS && !EXEMPT.has(page))).toEqual([]);
});
