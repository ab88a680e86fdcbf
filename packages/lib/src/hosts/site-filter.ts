import { parseHost } from "@yagate/protocol";
import { strictFamily } from "./address-family.ts";

/**
 * Parses an entry of a site filter (`allowedDomains` and `blockedDomains` of search and page reading, `site:`): a domain
 * of at least two labels, or an IPv4 address in its usual form. Spaces around it are ignored.
 *
 * @returns the host as {@link parseHost} returns it; undefined for a URL, a wildcard, a single label and other texts.
 */
export function parseSite(text: string): string | undefined {
  const trimmed = text.trim();
  const host = parseHost(trimmed);
  if (host === undefined || strictFamily(host) !== 0) return host === trimmed && host.includes(".") ? host : undefined;
  return /\.[a-z0-9-]{2,}$/.test(host) ? host : undefined;
}

/**
 * The rule for site filters: a site includes every name below it, label by label, so `notexample.com` is not within
 * `example.com`. An address includes itself only. Destination lists follow another rule: {@link createDestinationList}.
 *
 * @param host - as URLs have it, without a trailing dot.
 * @param site - as {@link parseSite} returns it.
 */
export function isWithinSite(host: string, site: string): boolean {
  return host === site || (strictFamily(host) === 0 && host.endsWith(`.${site}`));
}
