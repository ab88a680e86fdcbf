import type { NamedSecret } from "./search/needles.ts";
import { createSecretSearch } from "./search/secret-search.ts";
import { atOnce } from "./search/steps.ts";

/** A request as it would be sent, without the credential that the gateway itself adds. */
export interface ScannedRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** Where a part of a request stands. The name of a header is not told where it is what holds the secret. */
export type RequestPlace = "url" | "body" | "header name" | `header:${string}`;

/** A place where the gateway itself has put a secret: a header by its lower-case name, a parameter of the query. */
export type InjectedPlace = `header:${string}` | `query:${string}`;

/** A secret in a request that was not put there by the gateway. */
export interface Leak {
  /** The secret's name. */
  readonly name: string;
  readonly place: RequestPlace;
}

/** Looks for secrets in requests. */
export interface LeakScan {
  /**
   * @param injected - places that are not looked at; none by default.
   * @returns the first leak: of the header names, the URL, the header values and the body in this order.
   */
  scan(request: ScannedRequest, injected?: readonly InjectedPlace[]): Leak | undefined;
  /**
   * Looks at the host of a URL alone, which must not even be asked of a name server.
   *
   * @param url - absolute; of a text that is no URL, what stands where the host would.
   * @returns the name of a secret in it.
   */
  findInHost(url: string): string | undefined;
}

/**
 * Prepares a search for secrets in requests that a model composed: an alarm beside the list of allowed hosts.
 *
 * It finds a secret as it is, its spaces as `+` too; under up to three layers of percent-encoding, two of JSON's escapes
 * and two of HTML's character references, in any order, if equal characters of a layer are written alike; as base64 and
 * base64url at any of the three alignments; and as hex of either case. White space inside base64 and hex does not count,
 * and in the host and the names of headers upper and lower case are the same. It does not find what was split, reversed,
 * compressed or encoded twice.
 *
 * A scan takes time in proportion to the request, whatever it and the secrets are made of.
 *
 * @param secrets - values of less than 8 characters are not looked for.
 */
export function createLeakScan(secrets: readonly NamedSecret[]): LeakScan {
  const search = createSecretSearch(secrets);
  const find = (text: string) => atOnce(search.first(text));
  const findCaseless = (text: string) => atOnce(search.first(text, { isCaseless: true }));

  function findInUrl(url: string): string | undefined {
    const parsed = URL.parse(url);
    if (parsed === null) return findCaseless(url);
    // The parser leaves out line breaks and decodes what stands in the host: what is sent is what it made.
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
 * The host of a URL as a parser writes it: in lower case, full-width characters as ASCII. Of a text that no parser takes,
 * what stands where the host would. Empty where nothing does.
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
