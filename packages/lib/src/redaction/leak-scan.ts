import type { NamedSecret } from "./search/needles.ts";
import { createSecretSearch } from "./search/secret-search.ts";
import { atOnce } from "./search/steps.ts";

/** A request as it would be sent, without the credential that the gateway itself adds. */
export interface ScannedRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** A location in a request. The name of a header is omitted if the name itself contains the secret. */
export type RequestPlace = "url" | "body" | "header name" | `header:${string}`;

/** A location of a secret that the gateway itself added: a header by its lower-case name, or a query parameter. */
export type InjectedPlace = `header:${string}` | `query:${string}`;

/** A secret in a request that the gateway did not add. */
export interface Leak {
  /** The secret's name. */
  readonly name: string;
  readonly place: RequestPlace;
}

/** Searches requests for secrets. */
export interface LeakScan {
  /**
   * @param injected - locations to skip; none by default.
   * @returns the first leak, in the order header names, URL, header values, body.
   */
  scan(request: ScannedRequest, injected?: readonly InjectedPlace[]): Leak | undefined;
  /**
   * Searches only the host of a URL, before any DNS query.
   *
   * @param url - absolute; for a text that is not a URL, the part where the host would be is searched.
   * @returns the name of a secret in it.
   */
  findInHost(url: string): string | undefined;
}

/**
 * Prepares a search for secrets in requests that a model composed, as a second line of defence behind the list of
 * allowed hosts. It finds a secret verbatim, with its spaces as `+`; under up to three layers of percent-encoding, two
 * of JSON escapes and two of HTML character references, in any order, if equal characters of a layer are encoded alike;
 * as base64 and base64url at any of the three alignments; and as hex in either case. It ignores white space inside
 * base64 and hex, and case in the host and the names of headers. It does not find secrets that were split, reversed,
 * compressed or encoded twice. A scan takes linear time, whatever the request and the secrets contain.
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
    // The parser drops line breaks and decodes the host, so the sent text is the parsed one.
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
 * The normalised host of a URL: lower case, full-width characters as ASCII. For a text that is not a URL, the part
 * where the host would be. Empty if there is none.
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
