/**
 * Returns the URL for citing a document that states none. The URL is derived from the path, such as
 * `local:///guides/refunds.md`, and does not reveal the location of the folder.
 *
 * @param path - relative to the folder, with `/` as separator.
 */
export function documentUrl(path: string): string {
  return `local:///${path.split("/").map(encodeURIComponent).join("/")}`;
}
