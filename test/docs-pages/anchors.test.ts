import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { repositoryRoot } from "../../scripts/repository-root.ts";
import { anchorsOf, brokenFragments } from "./anchors.ts";

const PAGES = [
  "README.md",
  "CHANGELOG.md",
  "SECURITY.md",
  "{docs,docs/frameworks}/*.md",
  "packages/*/README.md",
  "packages/protocol/vectors/*.md",
  "examples/**/*.md",
];
const read = (page: string) => readFileSync(join(repositoryRoot, page), "utf8");

const pages = new Map(
  globSync(PAGES, { cwd: repositoryRoot, exclude: (path) => path.includes("node_modules") }).map((page) => {
    const path = page.replaceAll("\\", "/");
    return [path, read(path)] as const;
  }),
);

it("every link to a section of a page leads to one", () => {
  expect(pages.size).toBeGreaterThan(50);
  expect(brokenFragments(pages)).toEqual([]);
});

describe("the search for sections", () => {
  it.each([
    ["a heading", "## API keys", ["api-keys"]],
    ["code in a heading", "## How `serve` differs from `dev`", ["how-serve-differs-from-dev"]],
    ["punctuation", "### The client's address (IPv6)", ["the-clients-address-ipv6"]],
    ["a link in a heading", "## See [errors](errors.md)", ["see-errors"]],
    ["a heading that occurs twice", "## Errors\n\n## Errors", ["errors", "errors-1"]],
    ["an anchor of its own", '<a id="old-name"></a>', ["old-name"]],
    ["nothing in a fence", "```sh\n# a comment\n```", []],
  ])("finds %s", (_name, markdown, anchors) => {
    expect([...anchorsOf(markdown)]).toEqual(anchors);
  });

  it.each([
    ["a section that is there", "[a](b.md#here) [b](#there)", []],
    ["a section of another page that is gone", "[a](b.md#gone)", ["docs/a.md: b.md#gone"]],
    ["a section of the same page that is gone", "[a](#gone)", ["docs/a.md: #gone"]],
    ["an address", "[a](https://example.com/b.md#gone)", []],
  ])("judges a link to %s", (_name, link, broken) => {
    const site = new Map([
      ["docs/a.md", `## There\n\n${link}`],
      ["docs/b.md", "## Here"],
    ]);
    expect(brokenFragments(site)).toEqual(broken);
  });
});
