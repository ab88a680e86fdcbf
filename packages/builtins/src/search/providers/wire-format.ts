import type { SearchFailureReason, SearchHit, SearchQuery } from "../port.ts";

/** A request in the format of a search service. The key is only in `headers`, because URLs end up in logs. */
export interface WireRequest {
  readonly method: "GET" | "POST";
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Sent as the JSON body of a `POST`. */
  readonly body?: Readonly<Record<string, unknown>>;
}

/** Access to a service with an API key. */
export interface KeyedService {
  readonly apiKey: string;
  readonly baseUrl: string;
  /** Returns the current time in ms since the epoch. */
  readonly now: () => number;
}

/** An unsuccessful response. */
export interface WireFailure {
  readonly status: number;
  /** The body of the response, if it is JSON. */
  readonly body: unknown;
  readonly headers: Readonly<Record<string, string>>;
}

/** What an unsuccessful response reveals about the failure, in addition to its status. */
export interface FailureReading {
  readonly reason?: SearchFailureReason;
  readonly retryAfterMs?: number;
  /** What an operator can do about the failure; never contains text from the service. */
  readonly remedy?: string;
}

/** The wire format of one search service. Its functions are pure. */
export interface WireFormat {
  readonly name: string;
  /** Returns the requests, one for each page, in order. They are sent until a page is not full. */
  requests(query: SearchQuery): readonly WireRequest[];
  /** Reads the hits from a response. @throws ZodError for an unexpected response. */
  hits(answer: unknown, query: SearchQuery): readonly SearchHit[];
  /** Number of results on a full page. */
  readonly pageSize: number;
  /** Interprets an unsuccessful response; default: only its status is used. */
  failure?(failure: WireFailure): FailureReading;
}

/**
 * Maximum number of operators. Services reject or cut queries with more. Filters that do not fit are applied to the
 * response.
 */
const MAX_OPERATORS = 6;
const MAX_CHARACTERS = 400;

/**
 * Returns the query with its filters in the syntax of web search engines: `text (site:a.example OR site:b.example)
 * -word -site:c.example`.
 */
export function withOperators({ text, allowedDomains, blockedDomains, excludedTerms = [] }: SearchQuery): string {
  const sites = allowedDomains.slice(0, MAX_OPERATORS + 1).map((domain) => `site:${domain}`);
  // A partial list would exclude matches that the complete list allows.
  const allowed = allowedDomains.length > MAX_OPERATORS || sites.length === 0 ? "" : ` ${grouped(sites)}`;
  let query = fits(text + allowed) ? text + allowed : text;
  const without = [
    ...excludedTerms.slice(0, MAX_OPERATORS).map((term) => (/\s/.test(term) ? `"${term}"` : term)),
    ...blockedDomains.slice(0, MAX_OPERATORS).map((domain) => `site:${domain}`),
  ];
  for (const part of without) {
    const longer = `${query} -${part}`;
    if (fits(longer)) query = longer;
  }
  return query;
}

function grouped(sites: readonly string[]): string {
  return sites.length === 1 ? sites.join("") : `(${sites.join(" OR ")})`;
}

function fits(query: string): boolean {
  return query.length <= MAX_CHARACTERS;
}

type Parameter = string | number | undefined;

/**
 * Returns the URL of an API method with its parameters, without the undefined ones.
 *
 * @param baseUrl - with or without a path and a trailing slash.
 */
export function serviceUrl(
  baseUrl: string,
  path: string,
  parameters: Readonly<Record<string, Parameter>> = {},
): string {
  const url = new URL(`${baseUrl.replace(/\/+$/, "")}${path}`);
  for (const [name, value] of Object.entries(parameters)) {
    if (value !== undefined) url.searchParams.append(name, String(value));
  }
  return url.href;
}

/** Creates the single request to a service that accepts a search as JSON at `/search`. */
export function postRequest(
  baseUrl: string,
  headers: WireRequest["headers"],
  body: Readonly<Record<string, unknown>>,
): readonly WireRequest[] {
  return [{ method: "POST", url: serviceUrl(baseUrl, "/search"), headers, body }];
}
