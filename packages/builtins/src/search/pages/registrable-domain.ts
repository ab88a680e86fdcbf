import { getDomain } from "tldts";
import { hostOf } from "../query/host-of.ts";

/**
 * The registered domain of a URL's host: `example.co.uk` for `www.example.co.uk`, `me.github.io` for `me.github.io`.
 * For an IP address or a single label, the host; for a URL that is not http or https, its scheme.
 *
 * @see https://publicsuffix.org/list/, including its private section
 */
export function registrableDomain(url: string): string {
  const host = hostOf(url);
  if (host === undefined) return URL.parse(url)?.protocol ?? url;
  return getDomain(host, { allowPrivateDomains: true }) ?? host;
}
