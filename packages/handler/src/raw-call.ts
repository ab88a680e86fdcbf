import type { HeaderSource } from "./read-header.ts";

/** One HTTP request as an adapter hands it to the core, its body still unread. */
export interface RawCall {
  readonly method: string;
  readonly headers: HeaderSource;
  /** `performance.now()` when the request arrived: the attempt's time is counted from here. */
  readonly arrivedAtMs: number;
  /** Aborts when the client goes away, where the server can tell. Read only when somebody wants to know. */
  readonly signal?: AbortSignal | undefined;
  /**
   * Reads the exact bytes of the body.
   *
   * @throws {@link YagateError} `BODY_TOO_LARGE` as soon as the limit is passed, `BODY_ALREADY_PARSED`,
   * `PAYLOAD_INVALID` when the client went away.
   */
  readBody(maxBodyBytes: number): Promise<Uint8Array>;
}

/** The answer, for the adapter to send as it is. */
export interface RawAnswer {
  readonly status: number;
  /** Names in lower case; without `content-length`. */
  readonly headers: Readonly<Record<string, string>>;
  /** To be sent in UTF-8: its bytes were signed. */
  readonly body: string;
  /** How many bytes that is. */
  readonly byteLength: number;
}
