/**
 * How a document without a URL of its own is cited: by its place in the folder, as `local:///guides/refunds.md`. Where the
 * folder is on the machine is not in it.
 *
 * @param path - relative to the folder, with `/` between its parts.
 */
export function documentUrl(path: string): string {
  return `local:///${path.split("/").map(encodeURIComponent).join("/")}`;
}
