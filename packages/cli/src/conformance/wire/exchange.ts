/** The parts of an HTTP response that the cases need. */
export interface Answer {
  readonly kind: "answer";
  readonly status: number;
  /** The headers, by lower-case name; repeated headers are joined. */
  readonly headers: ReadonlyMap<string, string>;
  /** The first bytes of the body, at most {@link MAX_ANSWER_BYTES}. */
  readonly body: Buffer;
  readonly tookMs: number;
}

/** The outcome of a request. */
export type Exchange =
  | Answer
  /** The connection ended without a response; `code` is the system's, such as `ECONNRESET`. */
  | { readonly kind: "closed"; readonly code: string; readonly tookMs: number }
  /** No response arrived within the time limit. */
  | { readonly kind: "silent"; readonly tookMs: number };

/** How much of a response is read, in bytes. */
export const MAX_ANSWER_BYTES = 1_048_576;

/** A request to the handler under test. */
export interface Message {
  readonly method?: string | undefined;
  /** The headers in order; names may repeat. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body?: Uint8Array | undefined;
  /** How to send the body. Default: in one piece, with its length. */
  readonly sending?: Sending | undefined;
}

/** How to send a body. */
export type Sending =
  /** In chunks, without its length. */
  | { readonly kind: "chunked" }
  /** With a wrong length. */
  | { readonly kind: "announced"; readonly contentLength: number }
  /** All but the last byte, which is sent when the promise resolves. */
  | { readonly kind: "held"; readonly until: Promise<unknown>; readonly onHeld: () => void }
  /** Byte by byte with a pause after each; the connection is reset when the promise resolves. */
  | {
      readonly kind: "slow";
      readonly pauseMs: number;
      readonly until?: Promise<unknown>;
      readonly onStarted?: () => void;
    }
  /** Only the first bytes, after which the connection is reset. */
  | { readonly kind: "aborted"; readonly afterBytes: number };
