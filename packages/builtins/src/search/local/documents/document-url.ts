/**
 * The URL under which a document without its own URL is cited, from its path, such as `local:///guides/refunds.md`. It
 * does not reveal the location of the folder.
 *
 * @param path - relative to the folder, with `/` as separator.
 */
export function documentUrl(path: string): string {
  return `local:///${path.split("/").map(encodeURIComponent).join("/")}`;
}
