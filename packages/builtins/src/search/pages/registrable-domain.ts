import { getDomain } from "tldts";
import { hostOf } from "../query/domain.ts";

/**
 * What somebody has registered of an address's host: `example.co.uk` of `www.example.co.uk`, `me.github.io` of
 * `me.github.io`. Of an IP address, a single label and other addresses than the web's: the host, or the scheme.
 *
 * @see https://publicsuffix.org/list/, its private part included
 */
export function registrableDomain(url: string): string {
  const host = hostOf(url);
  if (host === undefined) return URL.parse(url)?.protocol ?? url;
  return getDomain(host, { allowPrivateDomains: true }) ?? host;
}
