import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { repositoryRoot } from "../../scripts/repository-root.ts";

const PAGES = ["*.md", "{docs,docs/frameworks}/*.md", "packages/*/README.md", "examples/*/README.md"];
/** Blocks and spans of code, in which numbers have the notation of that code. */
const CODE = /^ *```[\s\S]*?^ *```|`[^`\n]*`/gm;
/** Groups of three digits with a space between them, ordinary or not. */
const SPACED = /(?<![\w.,])\d{1,3}(?:[ \u00a0\u2009\u202f]\d{3})+(?!\d)/g;

it("pages separate thousands with a comma", () => {
  const pages = globSync(PAGES, { cwd: repositoryRoot });
  const found = pages.flatMap((page) => {
    const prose = readFileSync(join(repositoryRoot, page), "utf8").replaceAll(CODE, "");
    return (prose.match(SPACED) ?? []).map((number) => `${page}: ${number}`);
  });
  expect(pages.length).toBeGreaterThan(80);
  expect(found).toEqual([]);
});
