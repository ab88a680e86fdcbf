import { posix } from "node:path";

/** Finds links in Markdown, but not in code: fences and code spans match first. */
const LINK = /```[\s\S]*?\n```|`[^`\n]*`|\]\(([^)\s]+)\)/g;

/** Where files of the repository are on the site. */
export interface SiteMap {
  /** Paths of pages by the paths of their sources. */
  readonly slugs: ReadonlyMap<string, string>;
  /** Says whether the repository has a file, and makes it available below `/files/`. */
  addFile(path: string): boolean;
}

/**
 * Returns Markdown whose links lead to pages of the site.
 *
 * @param source - the path of the file in the repository.
 * @throws Error if a link leads to a file that does not exist.
 */
export function rewriteLinks(source: string, markdown: string, map: SiteMap): string {
  return markdown.replace(LINK, (whole, target: string | undefined) =>
    target === undefined || /^(?:[a-z]+:|#)/.test(target) ? whole : `](${toSite(source, target, map)})`,
  );
}

function toSite(source: string, target: string, { slugs, addFile }: SiteMap): string {
  const [path = "", fragment] = target.split("#");
  const found = posix.normalize(posix.join(posix.dirname(source), path)).replace(/\/$/, "");
  const slug = slugs.get(found) ?? slugs.get(`${found}/README.md`);
  const suffix = fragment === undefined ? "" : `#${fragment}`;
  if (slug !== undefined) return `${slug === "" ? "/" : `/${slug}/`}${suffix}`;
  if (!addFile(found)) throw new Error(`${source}: ${target} is neither a page nor a file`);
  return `/files/${found}`;
}
