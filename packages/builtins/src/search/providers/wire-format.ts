import type { SearchFailureReason, SearchHit, SearchQuery } from "../port.ts";

/** A request as a search service documents it. The key is in `headers` only: addresses end up in logs. */
export interface WireRequest {
  readonly method: "GET" | "POST";
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Sent as JSON. */
  readonly body?: Readonly<Record<string, unknown>>;
}

/** A service that is asked with a key. */
export interface KeyedService {
  readonly apiKey: string;
  readonly baseUrl: string;
  /** ms since the epoch. */
  readonly now: () => number;
}

/** An answer that is no success. */
export interface WireFailure {
  readonly status: number;
  /** Its body, where that is JSON. */
  readonly body: unknown;
  readonly headers: Readonly<Record<string, string>>;
}

/** What a service says beyond its status. */
export interface FailureReading {
  readonly reason?: SearchFailureReason;
  readonly retryAfterMs?: number;
  /** What an operator can do about it; nothing that the service said. */
  readonly remedy?: string;
}

/** How one search service is spoken to. Everything in it is pure. */
export interface WireFormat {
  readonly name: string;
  /** In the order in which they are sent; a page that is not full ends them. */
  requests(query: SearchQuery): readonly WireRequest[];
  /** @throws ZodError for an answer of another form. */
  hits(answer: unknown, query: SearchQuery): readonly SearchHit[];
  /** Results of a full page: more are asked for only after one. */
  readonly pageSize: number;
  /** What the service means by a failure; default as the status has it. */
  failure?(failure: WireFailure): FailureReading;
}
