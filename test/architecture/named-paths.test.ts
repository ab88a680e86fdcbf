import { existsSync, readFileSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { repositoryRoot } from "../../scripts/repository-root.ts";
import { repositoryFiles } from "./repository-files.ts";
import { namedPaths, PATH_ROOTS } from "./rules/named-paths.ts";
import { relativeLinks } from "./rules/relative-links.ts";

const isFolder = (path: string) =>
  statSync(join(repositoryRoot, path), { throwIfNoEntry: false })?.isDirectory() ?? false;
const exists = (path: string) => existsSync(join(repositoryRoot, path));
const read = (path: string) => readFileSync(join(repositoryRoot, path), "utf8");
const pages = repositoryFiles().filter((path) => path.endsWith(".md"));

it.each(["docs/architecture.md", "docs/code-walks.md"])("%s names only paths that exist", (page) => {
  const paths = namedPaths(read(page), isFolder);
  expect(paths).not.toEqual([]);
  const places = (path: string) => [...PATH_ROOTS.map((root) => `${root}${path}`), join("docs", path)];
  expect(paths.filter((path) => !places(path).some(exists))).toEqual([]);
});

it.each(pages)("the links of %s lead somewhere", (page) => {
  expect(relativeLinks(read(page)).filter((target) => !exists(join(dirname(page), target)))).toEqual([]);
});

describe("the search for paths", () => {
  const folders = new Set(["packages", "packages/gateway", "packages/gateway/src/http"]);
  const search = (text: string) => namedPaths(text, (path) => folders.has(path));

  it.each([
    ["a file in a code span", "see `gateway/src/config.ts`.", ["gateway/src/config.ts"]],
    ["a folder in a code span", "see `nowhere/`.", ["nowhere/"]],
    ["what begins with a folder that exists", "see `http/missing`.", ["http/missing"]],
    ["a link", "see [the wire](reference/protocol.md#signature).", ["reference/protocol.md"]],
    [
      "a tree",
      "```\npackages/\n  gateway/   the server\n    src/\n  cli/\ndocs/\n```",
      ["packages/", "packages/gateway/", "packages/gateway/src/", "packages/cli/", "docs/"],
    ],
  ])("finds %s", (_name, text, paths) => {
    expect(search(text)).toEqual(paths);
  });

  it.each([
    ["a media type", "`application/json`"],
    ["a package", "`@yagate/handler/express`"],
    ["a route", "`/v1/agents`"],
    ["an address", "[docs](https://example.com/a.md)"],
    ["code", "```ts\nimport a from './a.ts';\n```"],
  ])("takes %s for no path", (_name, text) => {
    expect(search(text)).toEqual([]);
  });
});
