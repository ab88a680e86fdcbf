/**
 * Returns the location of a page of the documentation.
 *
 * @param page - its name in `docs/`, such as `errors`.
 * @returns a URL under `YAGATE_DOCS_URL` if that is set; otherwise the path in the repository.
 */
export function docsUrl(page: string, anchor?: string): string {
  const base = (process.env["YAGATE_DOCS_URL"] ?? "").replace(/\/+$/, "");
  const fragment = anchor === undefined ? "" : `#${anchor}`;
  return base === "" ? `docs/${page}.md${fragment}` : `${base}/${page}${fragment}`;
}
