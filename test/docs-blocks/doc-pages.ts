import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { repositoryRoot } from "../../scripts/repository-root.ts";
import { type CodeBlock, codeBlocks } from "./code-blocks.ts";

const PAGES = ["README.md", "{docs,docs/frameworks}/*.md", "packages/*/README.md", "examples/*/README.md"];

/** The fenced blocks of every page that a user reads. */
export function blocksOfAllPages(): readonly CodeBlock[] {
  const pages = globSync(PAGES, { cwd: repositoryRoot }).map((page) => page.replaceAll("\\", "/"));
  return pages.toSorted().flatMap((page) => codeBlocks(page, readFileSync(join(repositoryRoot, page), "utf8")));
}
