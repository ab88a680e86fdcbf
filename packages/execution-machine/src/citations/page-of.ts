/** Schemes of the pages that an answer can cite. `local:` is that of documents in local search. */
const SCHEMES: ReadonlySet<string> = new Set(["http:", "https:", "local:"]);
/** Maximum length of a URL, in characters. A longer one is not cut, because it would then name another page. */
const MAX_URL_CHARACTERS = 2_000;

/**
 * Returns what identifies the page of a URL: the URL without its fragment and without a slash at the end. Undefined for
 * a text that is not the URL of a page, has another scheme, such as `javascript:`, or is too long.
 */
export function pageOf(text: string): string | undefined {
  const url = text.length <= MAX_URL_CHARACTERS ? URL.parse(text) : null;
  if (url === null || !SCHEMES.has(url.protocol)) return undefined;
  url.hash = "";
  return url.href.replace(/\/$/, "");
}
