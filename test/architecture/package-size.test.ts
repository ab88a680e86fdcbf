import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { repositoryRoot } from "../../scripts/repository-root.ts";
import { repositoryFiles } from "./repository-files.ts";

/** Past this size, a part of a package becomes a package of its own. */
const MAX_PACKAGE_LINES = 30_000;

const SOURCE = /^packages\/([^/]+)\/src\/.*\.tsx?$/;

/** Counts the lines of TypeScript in the `src` folder of each package, with comments and empty lines, as `wc -l` does. */
function linesOfPackages(): ReadonlyMap<string, number> {
  const lines = new Map<string, number>();
  for (const path of repositoryFiles()) {
    const name = SOURCE.exec(path)?.[1];
    if (name === undefined) continue;
    const count = readFileSync(join(repositoryRoot, path), "utf8").split("\n").length - 1;
    lines.set(name, (lines.get(name) ?? 0) + count);
  }
  return lines;
}

it(`no package has more than ${MAX_PACKAGE_LINES} lines of source`, () => {
  const lines = linesOfPackages();
  expect(lines.get("gateway")).toBeGreaterThan(20_000);
  expect([...lines].filter(([, count]) => count > MAX_PACKAGE_LINES)).toEqual([]);
});
