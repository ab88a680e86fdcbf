import type { HeaderSource } from "./read-header.ts";

/** An HTTP request as an adapter passes it on, with its body unread. */
export interface RawCall {
  readonly method: string;
  readonly headers: HeaderSource;
  /** `performance.now()` when the request arrived, which is when the attempt's time limit starts. */
  readonly arrivedAtMs: number;
  /** Aborted when the client disconnects, if the server can detect this. Read only when it is needed. */
  readonly signal?: AbortSignal | undefined;
  /**
   * Reads the exact bytes of the body.
   *
   * @throws {@link YagateError} `BODY_TOO_LARGE` as soon as the limit is exceeded; `BODY_ALREADY_PARSED`;
   *   `PAYLOAD_INVALID` if the client disconnected.
   */
  readBody(maxBodyBytes: number): Promise<Uint8Array>;
}

/** The response, which the adapter sends unchanged. */
export interface RawAnswer {
  readonly status: number;
  /** The headers, with names in lower case, without `content-length`. */
  readonly headers: Readonly<Record<string, string>>;
  /** Must be sent as UTF-8, because the signature covers those bytes. */
  readonly body: string;
  /** Length of the body in bytes. */
  readonly byteLength: number;
}
