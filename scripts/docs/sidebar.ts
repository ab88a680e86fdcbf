import type { SitePage } from "./site-page.ts";

/** A group of the sidebar: the slugs of its pages. */
export interface SidebarGroup {
  readonly label: string;
  readonly items: readonly string[];
}

/** Pages that are looked up and not read. */
const IS_REFERENCE =
  /(?:-reference|-cases)$|^(?:errors|warnings|http-api|configuration|glossary|signed-requests|advisories|changelog|benchmarks.*|scale-measurements|library-decisions|design-decisions|code-walks)$/;

/**
 * Orders the pages as the README lists them: a group for each list under "Where to go next", and one for the reference.
 *
 * @param readme - the start page, with links of the site.
 * @throws Error if the README does not lead to a page of `docs/`.
 */
export function toSidebar(readme: string, pages: readonly SitePage[]): readonly SidebarGroup[] {
  const slugs = new Set(pages.map(({ slug }) => slug));
  const placed = new Set<string>([""]);
  const groups: { label: string; items: string[] }[] = [];
  const reference: string[] = [];
  const [, lists = ""] = readme.split("## Where to go next\n");
  for (const line of lists.split("\n")) {
    const [, label] = /^([A-Z][\w ]+):$/.exec(line) ?? [];
    if (label !== undefined) groups.push({ label, items: [] });
    for (const [, slug = ""] of line.matchAll(/\]\(\/([^)#]*?)\/(?:#[^)]*)?\)/g)) {
      if (placed.has(slug) || !slugs.has(slug)) continue;
      placed.add(slug);
      (IS_REFERENCE.test(slug) ? reference : groups.at(-1)?.items)?.push(slug);
    }
  }
  const others = (prefix: RegExp) =>
    pages.map(({ slug }) => slug).filter((slug) => prefix.test(slug) && !placed.has(slug));
  const rest = {
    frameworks: others(/^frameworks\//),
    packages: others(/^packages\//),
    examples: others(/^examples(?:\/|$)/),
  };
  for (const slug of Object.values(rest).flat()) placed.add(slug);
  const unlisted = pages.filter(({ slug, source }) => source !== undefined && !placed.has(slug));
  if (unlisted.length > 0) {
    throw new Error(`README does not lead to ${unlisted.map(({ source }) => source).join(", ")}`);
  }
  return [
    ...groups,
    { label: "Frameworks", items: rest.frameworks },
    { label: "Examples", items: rest.examples },
    { label: "Reference", items: reference },
    { label: "Packages", items: rest.packages },
  ];
}
