import { parseHost } from "@yagate/protocol";
import { strictFamily } from "./address-family.ts";

/**
 * Parses an entry of a site filter (`allowedDomains` and `blockedDomains` for search and page reading, `site:`): a
 * domain with at least two labels, or an IPv4 address in its usual form. Spaces around the entry are ignored.
 *
 * @returns the host in the form of {@link parseHost}; undefined for a URL, a wildcard, a single label or any other
 *   text.
 */
export function parseSite(text: string): string | undefined {
  const trimmed = text.trim();
  const host = parseHost(trimmed);
  if (host === undefined || strictFamily(host) !== 0) return host === trimmed && host.includes(".") ? host : undefined;
  return /\.[a-z0-9-]{2,}$/.test(host) ? host : undefined;
}

/**
 * Checks whether a host belongs to a site. A site includes every name under its domain, label by label, so
 * `notexample.com` is not within `example.com`. An address includes only itself. Destination lists follow a different
 * rule: {@link createDestinationList}.
 *
 * @param host - in the form that URLs contain, without a trailing dot.
 * @param site - in the form that {@link parseSite} returns.
 */
export function isWithinSite(host: string, site: string): boolean {
  return host === site || (strictFamily(host) === 0 && host.endsWith(`.${site}`));
}
