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
