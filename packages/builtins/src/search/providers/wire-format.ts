import type { SearchFailureReason, SearchHit, SearchQuery } from "../port.ts";

/** A request in the format of a search service. The key is in `headers` only, because URLs end up in logs. */
export interface WireRequest {
  readonly method: "GET" | "POST";
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Sent as JSON. */
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
  /** Its body, if that is JSON. */
  readonly body: unknown;
  readonly headers: Readonly<Record<string, string>>;
}

/** Details of a service's failure beyond the status. */
export interface FailureReading {
  readonly reason?: SearchFailureReason;
  readonly retryAfterMs?: number;
  /** What an operator can do about it; never text from the service. */
  readonly remedy?: string;
}

/** The wire format of one search service. Everything in it is pure. */
export interface WireFormat {
  readonly name: string;
  /** The requests in order; a page that is not full ends them. */
  requests(query: SearchQuery): readonly WireRequest[];
  /** @throws ZodError for an unexpected response. */
  hits(answer: unknown, query: SearchQuery): readonly SearchHit[];
  /** Number of results on a full page: the next page is requested only after a full one. */
  readonly pageSize: number;
  /** How the service signals a failure; default: by the status. */
  failure?(failure: WireFailure): FailureReading;
}
