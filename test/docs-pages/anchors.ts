import { posix } from "node:path";

/** The anchors of a page: those of its headings, as GitHub makes them, and `<a id="…">`. */
export function anchorsOf(markdown: string): ReadonlySet<string> {
  const prose = markdown.replace(/^( *)(`{3,})[\s\S]*?^ *\2 *$/gm, "");
  const anchors = new Set([...prose.matchAll(/<a id="([^"]+)">/g)].map(([, id = ""]) => id));
  for (const [, heading = ""] of prose.matchAll(/^#{1,6} (.*)$/gm)) {
    const slug = slugOf(heading);
    let anchor = slug;
    for (let count = 1; anchors.has(anchor); count += 1) anchor = `${slug}-${count}`;
    anchors.add(anchor);
  }
  return anchors;
}

function slugOf(heading: string): string {
  const text = heading
    .replace(/\[([^\]]*)\]\([^)]*\)/g, "$1")
    .trim()
    .toLowerCase();
  return text.replace(/[^\p{L}\p{N}_\- ]/gu, "").replaceAll(" ", "-");
}

/** The links to a section that does not exist, each as `page: target`. Pages come by their path from the root. */
export function brokenFragments(pages: ReadonlyMap<string, string>): readonly string[] {
  const anchors = new Map([...pages].map(([page, markdown]) => [page, anchorsOf(markdown)]));
  return [...pages].flatMap(([page, markdown]) =>
    [...markdown.matchAll(/\]\(([^)\s#]*)#([^)\s]+)\)/g)]
      .filter(([, path = ""]) => !/^[a-z]+:/.test(path))
      .filter(([, path = "", fragment = ""]) => {
        const target = path === "" ? page : posix.join(posix.dirname(page), path);
        return anchors.get(target)?.has(fragment) === false;
      })
      .map(([, path = "", fragment = ""]) => `${page}: ${path}#${fragment}`),
  );
}
