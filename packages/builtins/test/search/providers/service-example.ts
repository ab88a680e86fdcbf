import type { SearchFailureReason, SearchHit } from "../../../src/search/port.ts";
import type { SearchSettings } from "../../../src/search/search-settings.ts";

/** The key of all services here; it must turn up nowhere but in the header. */
export const KEY = "key-4f9a1c";

/** What a service answers, as a local server says it. */
export interface StubbedAnswer {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: unknown;
}

/** What a service's own documentation says of a request and its answers. */
export interface ServiceExample {
  readonly name: string;
  settings(baseUrl: string): Partial<SearchSettings>;
  /** Of a query with all filters: the request line, the header with the key, the body. */
  readonly request: {
    readonly method: string;
    readonly path: string;
    readonly parameters?: Readonly<Record<string, string>>;
    readonly key?: readonly [header: string, value: string];
    readonly body?: unknown;
  };
  readonly answer: unknown;
  /** An answer with these rows in the place of its results. */
  answerWith(rows: unknown): unknown;
  /** The field of a row that holds the address of the page. */
  readonly urlField: string;
  readonly hits: readonly SearchHit[];
  readonly empty: unknown;
  readonly failures: [name: string, answer: StubbedAnswer, reason: SearchFailureReason, retryAfterMs?: number][];
}
