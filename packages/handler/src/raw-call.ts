import type { HeaderSource } from "./read-header.ts";

/** An HTTP request in the form in which adapters pass it on, with its body unread. */
export interface RawCall {
  readonly method: string;
  readonly headers: HeaderSource;
  /** The value of `performance.now()` when the request arrived, which is when the attempt's time limit starts. */
  readonly arrivedAtMs: number;
  /**
   * Aborted when the client disconnects, if the server can detect this. The kit reads this property only when it needs
   * the signal.
   */
  readonly signal?: AbortSignal | undefined;
  /**
   * Reads the exact bytes of the body; a promise unless a body parser has read them already.
   *
   * @throws {@link YagateError} `BODY_TOO_LARGE` as soon as the limit is exceeded; `BODY_ALREADY_PARSED`;
   *   `PAYLOAD_INVALID` if the client disconnected.
   */
  readBody(maxBodyBytes: number): Uint8Array | Promise<Uint8Array>;
}

/** A response. The adapter sends it unchanged. */
export interface RawAnswer {
  readonly status: number;
  /** The headers, with names in lower case, without `content-length`. */
  readonly headers: Readonly<Record<string, string>>;
  /** The body. It must be sent as UTF-8, because the signature covers those bytes. */
  readonly body: string;
  /** Length of the body in bytes. */
  readonly byteLength: number;
}
