/** Checks whether a URL is a valid base URL of a provider: http or https, without credentials, query or fragment. */
export function isPlainHttpUrl(text: string): boolean {
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol)) return false;
  return [url.username, url.password, url.search, url.hash].every((part) => part === "");
}
