import type { NamedSecret } from "./search/needles.ts";
import { createSecretSearch } from "./search/secret-search.ts";
import { atOnce } from "./search/steps.ts";

/** A request as it will be sent, without the credential that the gateway adds. */
export interface ScannedRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** A location in a request. If the name of a header contains the secret, the location does not contain that name. */
export type RequestPlace = "url" | "body" | "header name" | `header:${string}`;

/**
 * The location of a secret that the gateway itself added: a header, with its name in lower case, or a query parameter.
 */
export type InjectedPlace = `header:${string}` | `query:${string}`;

/** A secret that a request contains although the gateway did not add it there. */
export interface Leak {
  /** The secret's name. */
  readonly name: string;
  readonly place: RequestPlace;
}

/** Searches requests for secrets. */
export interface LeakScan {
  /**
   * Searches a request.
   *
   * @param injected - locations to skip. Default: none.
   * @returns the first leak, in this order: header names, URL, header values, body.
   */
  scan(request: ScannedRequest, injected?: readonly InjectedPlace[]): Leak | undefined;
  /**
   * Searches only the host of a URL. Use this before any DNS query.
   *
   * @param url - an absolute URL; in any other text, the part where the host would be is searched.
   * @returns the name of the secret that the host contains; undefined if it contains none.
   */
  findInHost(url: string): string | undefined;
}

/**
 * Prepares a search for secrets in requests that a model composed, as a second line of defence after the list of
 * allowed hosts. It finds a secret verbatim; with its spaces written as `+`; under up to three layers of
 * percent-encoding, two of JSON escapes and two of HTML character references, in any order, if all occurrences of a
 * character in a layer are encoded alike; as base64 and base64url at any of the three alignments; and as hex in either
 * case. It ignores white space inside base64 and hex, and case in the host and in header names. It does not find
 * secrets that were split, reversed or compressed, or encoded in a way that is not listed here. A scan takes linear
 * time, whatever the request and the secrets contain.
 *
 * @param secrets - values of less than 8 characters are ignored.
 */
export function createLeakScan(secrets: readonly NamedSecret[]): LeakScan {
  const search = createSecretSearch(secrets);
  const find = (text: string) => atOnce(search.first(text));
  const findCaseless = (text: string) => atOnce(search.first(text, { isCaseless: true }));

  function findInUrl(url: string): string | undefined {
    const parsed = URL.parse(url);
    if (parsed === null) return findCaseless(url);
    // The URL parser drops line breaks and decodes the host, so what is sent is the parsed URL.
    return find(url) ?? (parsed.href === url ? undefined : find(parsed.href)) ?? findCaseless(parsed.host);
  }

  return {
    findInHost: (url) => (search.isEmpty ? undefined : findCaseless(hostTextOf(url))),
    scan({ url, headers, body }, injected = []) {
      if (search.isEmpty) return undefined;
      const places: (readonly [RequestPlace, () => string | undefined])[] = [
        ["header name", () => firstOf(Object.keys(headers), findCaseless)],
        ["url", () => findInUrl(withoutParameters(url, injected))],
        ...Object.entries(headers)
          .filter(([name]) => !injected.includes(`header:${name.toLowerCase()}`))
          .map(([name, value]) => [`header:${name.toLowerCase()}`, () => find(value)] as const),
        ["body", () => (body === undefined ? undefined : find(body))],
      ];
      return firstOf(places, ([place, look]) => {
        const name = look();
        return name === undefined ? undefined : { name, place };
      });
    },
  };
}

/**
 * Returns the normalised host of a URL: in lower case, with full-width characters as ASCII. If the text is not a URL,
 * returns the part where the host would be, or an empty string.
 */
export function hostTextOf(url: string): string {
  return URL.parse(url)?.hostname ?? /^[^/?#\\]*:[/\\]{2,}([^/?#\\]*)/.exec(url)?.[1] ?? "";
}

function firstOf<Item, Found>(items: readonly Item[], find: (item: Item) => Found | undefined): Found | undefined {
  for (const item of items) {
    const found = find(item);
    if (found !== undefined) return found;
  }
  return undefined;
}

function withoutParameters(url: string, injected: readonly InjectedPlace[]): string {
  const names = injected.filter((place) => place.startsWith("query:")).map((place) => place.slice("query:".length));
  const parsed = names.length > 0 ? URL.parse(url) : null;
  if (parsed === null) return url;
  for (const name of names) parsed.searchParams.delete(name);
  return parsed.href;
}
