/** A page of the documentation site. */
export interface SitePage {
  /** Path of its source in the repository, with slashes; undefined for a page that is made from the code. */
  readonly source: string | undefined;
  /** Path on the site without slashes at its ends, such as `frameworks/express`; empty for the start page. */
  readonly slug: string;
  /** Plain text. */
  readonly title: string;
  /** The first paragraph as plain text, at most 200 characters. */
  readonly description: string;
  /** Markdown without the title. Its links lead to pages of the site. */
  readonly body: string;
}

const MAX_DESCRIPTION = 200;

/** Returns the path of a Markdown file of the repository on the site. */
export function slugOf(source: string): string {
  if (source === "README.md") return "";
  return source
    .replace(/^docs\//, "")
    .replace(/(?:\/README)?\.md$/, "")
    .toLowerCase();
}

/** Returns Markdown as plain text: without links, code marks, emphasis and anchors. */
export function toPlainText(markdown: string): string {
  return markdown
    .replace(/<a id="[^"]*"><\/a>/g, "")
    .replace(/\[([^\]]*)\]\([^)]*\)/g, "$1")
    .replace(/[`*]/g, "")
    .replace(/\s+/g, " ")
    .trim();
}

/**
 * Splits a Markdown file into its title, its description and the rest.
 *
 * @throws Error if the file does not start with a title.
 */
export function parsePage(source: string, text: string): SitePage {
  const [, heading, body] = /^# (.+)\n([\s\S]*)$/.exec(text) ?? [];
  if (heading === undefined || body === undefined) throw new Error(`${source}: expected a title in the first line`);
  const paragraph = body
    .trim()
    .split(/\n{2,}/)
    .find((part) => /^[A-Z`[*]/.test(part));
  const description = toPlainText(paragraph ?? heading);
  const isLong = description.length > MAX_DESCRIPTION;
  return {
    ...{ source, slug: slugOf(source), title: toPlainText(heading), body: body.trim() },
    description: isLong ? `${description.slice(0, MAX_DESCRIPTION).replace(/\s+\S*$/, "")} …` : description,
  };
}
