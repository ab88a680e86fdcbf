import { isIP } from "node:net";

/**
 * Normalises a domain: lower case, punycode, without a trailing dot.
 *
 * @returns undefined for anything else, such as a URL, a wildcard, a single label or an IP address.
 */
export function toDomain(text: string): string | undefined {
  const trimmed = text.trim().replace(/\.$/, "");
  if (trimmed === "" || /[\s/:@?#*%\\[\]]/.test(trimmed)) return undefined;
  const host = URL.parse(`https://${trimmed}/`)?.hostname;
  if (host === undefined || isIP(host) !== 0 || !host.includes(".")) return undefined;
  return /^(?:[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?\.)+[a-z0-9-]{2,63}$/.test(host) ? host : undefined;
}

/** The host of a web URL, without a trailing dot; undefined for other URLs. */
export function hostOf(url: string): string | undefined {
  const parsed = URL.parse(url);
  if (parsed === null || !/^https?:$/.test(parsed.protocol)) return undefined;
  return parsed.hostname.replace(/\.$/, "");
}

/** Whether a host equals a domain or is below it: `notexample.com` is not within `example.com`. */
export function isWithin(host: string, domain: string): boolean {
  return host === domain || (isIP(host) === 0 && host.endsWith(`.${domain}`));
}
