import { getDomain } from "tldts";
import { hostOf } from "../query/host-of.ts";

/**
 * Returns the registrable domain of a URL's host: `example.co.uk` for `www.example.co.uk`, `me.github.io` for
 * `me.github.io`. Returns the host for an IP address or a single label, and the scheme for a URL that is not http or
 * https.
 *
 * @see https://publicsuffix.org/list/, including its private section
 */
export function registrableDomain(url: string): string {
  const host = hostOf(url);
  if (host === undefined) return URL.parse(url)?.protocol ?? url;
  return getDomain(host, { allowPrivateDomains: true }) ?? host;
}
