/** A link to a place in a page: the page as the link writes it, empty for the same one, and the place. */
export interface FragmentLink {
  readonly page: string;
  readonly fragment: string;
}

/** The links of a page that name a place in a page of this repository. */
export function fragmentLinks(markdown: string): readonly FragmentLink[] {
  return [...markdown.matchAll(/\]\(((?:[^()#\s:]+\.md)?)#([^()\s]+)\)/g)].map(([, page = "", fragment = ""]) => {
    return { page, fragment };
  });
}

/** The places of a page: its headings as GitHub names them, and the ids of its `<a>` elements. */
export function fragments(markdown: string): ReadonlySet<string> {
  const text = markdown.replace(/^```.*?^```/gms, "");
  const headings = [...text.matchAll(/^#+ (.*)$/gm)].map(([, heading = ""]) => toFragment(heading));
  const ids = [...text.matchAll(/<a id="([^"]+)">/g)].map(([, id = ""]) => id);
  return new Set([...headings, ...ids]);
}

function toFragment(heading: string): string {
  return heading
    .replace(/\[([^\]]*)\]\([^)]*\)/g, "$1")
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\- _]/gu, "")
    .replaceAll(" ", "-");
}
