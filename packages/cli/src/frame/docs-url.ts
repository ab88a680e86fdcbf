/**
 * Returns the location of a page of the documentation.
 *
 * @param page - its name in `docs/`, such as `approvals`.
 * @returns a URL under `YAGATE_DOCS_URL` if that is set; otherwise the path in the repository.
 */
export function docsUrl(page: string, anchor?: string): string {
  const base = publishedUrl();
  const fragment = anchor === undefined ? "" : `#${anchor}`;
  return base === "" ? `docs/${page}.md${fragment}` : `${base}/${page}/${fragment}`;
}

/** Returns the location of the documentation of an error code, which has a page of its own where it is published. */
export function errorDocsUrl(code: string): string {
  const base = publishedUrl();
  return base === "" ? docsUrl("errors", code) : `${base}/errors/${code.toLowerCase()}/`;
}

function publishedUrl(): string {
  return (process.env["YAGATE_DOCS_URL"] ?? "").replace(/\/+$/, "");
}
