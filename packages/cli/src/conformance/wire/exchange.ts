/** An HTTP answer, as far as a case needs it. */
export interface Answer {
  readonly kind: "answer";
  readonly status: number;
  /** By lower-case name; several lines of one name are joined. */
  readonly headers: ReadonlyMap<string, string>;
  /** Its first bytes, up to {@link MAX_ANSWER_BYTES}. */
  readonly body: Buffer;
  readonly tookMs: number;
}

/** What became of a request. */
export type Exchange =
  | Answer
  /** The connection ended without an answer; `code` is the system's, such as `ECONNRESET`. */
  | { readonly kind: "closed"; readonly code: string; readonly tookMs: number }
  /** Nothing came in the time that the request had. */
  | { readonly kind: "silent"; readonly tookMs: number };

/** How much of an answer is read. */
export const MAX_ANSWER_BYTES = 1_048_576;

/** A request to the handler under test. */
export interface Message {
  readonly method?: string | undefined;
  /** In their order; a name may be there twice. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body?: Uint8Array | undefined;
  /** How the body is sent. Default: at once, with its length. */
  readonly sending?: Sending | undefined;
}

/** A way to send a body. */
export type Sending =
  /** In chunks, without its length. */
  | { readonly kind: "chunked" }
  /** With another length than it has. */
  | { readonly kind: "announced"; readonly contentLength: number }
  /** All but the last byte, which follows when the promise resolves. */
  | { readonly kind: "held"; readonly until: Promise<unknown>; readonly onHeld: () => void }
  /** A byte, then another after each pause; the connection is reset when the promise resolves. */
  | {
      readonly kind: "slow";
      readonly pauseMs: number;
      readonly until?: Promise<unknown>;
      readonly onStarted?: () => void;
    }
  /** A part, after which the connection is reset. */
  | { readonly kind: "aborted"; readonly afterBytes: number };
