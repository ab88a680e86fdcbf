import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { repositoryRoot } from "../../scripts/repository-root.ts";
import { repositoryFiles } from "./repository-files.ts";
import { isSource, MAX_SOURCE_LINES, namelessPaths } from "./rules/file-shape.ts";

it("no file or folder is named after nothing in particular", () => {
  expect(namelessPaths(repositoryFiles())).toEqual([]);
});

it.each(["src/utils.ts", "src/string-utils.ts", "src/util/hex.ts", "test/helpers/a.ts", "src/common.ts", "misc/a.md"])(
  "%s would be refused",
  (path) => {
    expect(namelessPaths([path])).toEqual([path]);
  },
);

it("a name that only contains such a word is no drawer", () => {
  expect(namelessPaths(["src/commonmark.ts", "src/utilisation.ts", "docs/miscellany.md"])).toEqual([]);
});

it(`sources have at most ${MAX_SOURCE_LINES} lines`, () => {
  const long = repositoryFiles()
    .filter(isSource)
    .filter((path) => readFileSync(join(repositoryRoot, path), "utf8").trimEnd().split("\n").length > MAX_SOURCE_LINES);
  expect(long).toEqual([]);
});

it.each([
  ["packages/store/src/sqlite.ts", true],
  ["scripts/require-node.mjs", true],
  ["packages/protocol/test/sign.test.ts", false],
  ["packages/protocol/test/sign.test-d.ts", false],
  ["packages/protocol/vectors/signature.json", false],
  ["packages/protocol/src/index.ts", false],
  ["packages/gateway/src/http/index.ts", true],
])("the limit is for %s: %s", (path, expected) => {
  expect(isSource(path)).toBe(expected);
});
