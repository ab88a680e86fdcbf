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
  /** ms since the epoch. */
  readonly now: () => number;
}

/** An unsuccessful response. */
export interface WireFailure {
  readonly status: number;
  /** The body of the response, if it is JSON. */
  readonly body: unknown;
  readonly headers: Readonly<Record<string, string>>;
}

/** What a failed response reveals about the failure, in addition to its status. */
export interface FailureReading {
  readonly reason?: SearchFailureReason;
  readonly retryAfterMs?: number;
  /** What an operator can do about the failure; never text from the service. */
  readonly remedy?: string;
}

/** The wire format of one search service. Its functions are pure. */
export interface WireFormat {
  readonly name: string;
  /** Returns the requests in order. After a page that is not full, the other requests are not sent. */
  requests(query: SearchQuery): readonly WireRequest[];
  /** Reads the hits from a response. @throws ZodError for an unexpected response. */
  hits(answer: unknown, query: SearchQuery): readonly SearchHit[];
  /** Number of results on a full page. The next page is requested only after a full one. */
  readonly pageSize: number;
  /** Reads how the service signals a failure; default: by the status. */
  failure?(failure: WireFailure): FailureReading;
}
