import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { repositoryRoot } from "../../scripts/repository-root.ts";

const PAGE = "docs/code-walks.md";
const GATEWAY = "packages/gateway/src";

interface WalkStep {
  readonly file: string;
  /** What to read in that file; names after a semicolon are in other files. */
  readonly names: readonly string[];
}

const spansOf = (cell: string) => [...cell.matchAll(/`([^`]+)`/g)].map(([, span = ""]) => span);
const stepsOf = (markdown: string): readonly WalkStep[] =>
  markdown
    .split("\n")
    .filter((line) => line.startsWith("| ") && !/^\| (step|---) /.test(line))
    .map((line) => {
      const [, , file = "", read = ""] = line.split("|");
      const [path = ""] = spansOf(file);
      const names = spansOf(read.split(";")[0] ?? "");
      return { file: path.startsWith("packages/") ? path : `${GATEWAY}/${path}`, names };
    });

const steps = stepsOf(readFileSync(join(repositoryRoot, PAGE), "utf8"));

it.each(steps)("$file has $names", ({ file, names }) => {
  expect(existsSync(join(repositoryRoot, file))).toBe(true);
  const source = readFileSync(join(repositoryRoot, file), "utf8");
  expect(names).not.toEqual([]);
  expect(names.filter((name) => !new RegExp(`(^|[^\\w$])${name}\\b`).test(source))).toEqual([]);
});

it("every walk has its steps", () => {
  expect(steps.length).toBeGreaterThan(40);
});
