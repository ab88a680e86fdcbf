import * as z from "zod";

/** Maximum length of a host name, in characters. */
const MAX_HOST_LENGTH = 253;

/** Host names as the egress guard accepts them: letters, digits, hyphens and underscores between dots. */
const HOST_NAME = /^[a-z0-9_-]{1,63}(?:\.[a-z0-9_-]{1,63})*$/;
const IPV4 = /^\d+\.\d+\.\d+\.\d+$/;

/** Suffixes below which third parties cannot register names, so that a wildcard allows no unknown host. */
const PRIVATE_SUFFIXES: ReadonlySet<string> = new Set(["internal", "local", "localhost", "test"]);

/**
 * A host that requests may reach: an exact name, `*.example.com` for every name below it (but not itself), or an IP
 * address. The result is in URL form: lower case, non-ASCII names as `xn--…`, without a trailing dot and brackets.
 */
export const allowedDomainSchema = z
  .string()
  .max(MAX_HOST_LENGTH + 2, { abort: true })
  .overwrite((text) => canonicalDomain(text) ?? text)
  .refine((text) => canonicalDomain(text) !== undefined, {
    error: "expected a host such as api.example.com or *.example.com, without a scheme, a port and a path",
    abort: true,
  })
  .refine(
    (text) => !isTooWide(text),
    "expected at least two labels below the *, as in *.example.com: everybody can register names below one",
  );

/** Returns undefined for an invalid host. */
function canonicalDomain(text: string): string | undefined {
  const isWildcard = text.startsWith("*.");
  const host = canonicalHost(isWildcard ? text.slice(2) : text);
  if (host === undefined || !isWildcard) return host;
  return isAddress(host) ? undefined : `*.${host}`;
}

/** Returns the host as a URL parser writes it, so that later comparisons use the same form on both sides. */
function canonicalHost(text: string): string | undefined {
  const bracketed = /^[0-9a-f:.]*:[0-9a-f:.]*$/i.test(text) ? `[${text}]` : text;
  const isBracketed = /^\[[0-9a-f:.]+\]$/i.test(bracketed);
  if (!isBracketed && /[\s/\\?#@:%]/.test(bracketed)) return undefined;
  const url = `https://${bracketed}/`;
  if (!URL.canParse(url)) return undefined;
  const host = new URL(url).hostname.replace(/\.$/, "");
  if (isBracketed) return host.slice(1, -1);
  return host.length <= MAX_HOST_LENGTH && HOST_NAME.test(host) ? host : undefined;
}

function isAddress(host: string): boolean {
  return host.includes(":") || IPV4.test(host);
}

function isTooWide(text: string): boolean {
  return text.startsWith("*.") && !text.slice(2).includes(".") && !PRIVATE_SUFFIXES.has(text.slice(2));
}
