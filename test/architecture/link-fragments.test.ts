import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, it } from "vitest";
import { repositoryRoot } from "../../scripts/repository-root.ts";
import { repositoryFiles } from "./repository-files.ts";

const read = (path: string) => readFileSync(join(repositoryRoot, path), "utf8");
const pages = repositoryFiles().filter((path) => path.endsWith(".md"));

/** The fragments under which GitHub shows the headings and anchors of a page. */
function fragmentsOf(markdown: string): ReadonlySet<string> {
  const prose = markdown.replace(/^```.*?^```/gms, "");
  const fragments = new Set<string>();
  for (const [, heading = ""] of prose.matchAll(/^#{1,6} +(.+)$/gm)) {
    const fragment = heading
      .replace(/\[([^\]]*)\]\([^)]*\)/g, "$1")
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, "")
      .replaceAll(" ", "-");
    let number = 0;
    while (fragments.has(number === 0 ? fragment : `${fragment}-${number}`)) number += 1;
    fragments.add(number === 0 ? fragment : `${fragment}-${number}`);
  }
  for (const [, id = ""] of prose.matchAll(/<a (?:id|name)="([^"]+)">/g)) fragments.add(id);
  return fragments;
}

function deadFragments(page: string): readonly string[] {
  const links = [...read(page).matchAll(/\]\(([^)#\s]*)#([^)\s]+)\)/g)];
  return links.flatMap(([, target = "", fragment = ""]) => {
    if (/^[a-z]+:/.test(target) || !(target === "" || target.endsWith(".md"))) return [];
    const path = target === "" ? page : join(dirname(page), target);
    return pages.includes(path) && !fragmentsOf(read(path)).has(fragment) ? [`${target}#${fragment}`] : [];
  });
}

it.each(pages)("the links of %s lead to headings that exist", (page) => {
  expect(deadFragments(page)).toEqual([]);
});

it("fragments are made as GitHub makes them", () => {
  const page = "# The `data` directory\n## 0.1.0\n```sh\n# no heading\n```\n## Limits\n## [Limits](a.md)\n";
  expect([...fragmentsOf(page)]).toEqual(["the-data-directory", "010", "limits", "limits-1"]);
});
