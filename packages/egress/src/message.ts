import type { Timings } from "@yagate/protocol";
import type { DestinationCheck } from "./destination-check.ts";
import type { ResponseHeaders } from "./exchange.ts";

/** Methods of a request. */
export type EgressMethod = "GET" | "HEAD" | "POST" | "PUT" | "PATCH" | "DELETE";

/** One request. */
export interface EgressRequest {
  readonly method: EgressMethod;
  readonly url: string;
  /** Names and printable ASCII values. Headers that frame the message, and `Host`, are rejected. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Uint8Array;
  /**
   * The owner of the request: connections are shared and counted within a group. Default: the group of requests without
   * one.
   */
  readonly group?: string;
  /**
   * Where this request may go, in addition to the guard's policy; also checked for every redirect. Default: anywhere.
   */
  readonly approved?: DestinationCheck;
  /**
   * `refuse`, the default: a redirect is the response, and its `location` is data. `revalidate`: follows up to 3
   * redirects, each with a new decision: https only, never into `allowCidrs`, and to another origin only with the
   * headers `accept`, `accept-language` and `user-agent`. 303, and 301 and 302 after a POST, become a GET without a
   * body. Any other redirect that would repeat a body, or a method other than GET and HEAD, fails with
   * `REDIRECT_REFUSED`.
   */
  readonly redirects?: "refuse" | "revalidate";
  /** Total time from DNS to the last byte of the response, including decoding and redirects; 1 to 2 147 483 647 ms. */
  readonly timeoutMs: number;
  /** Limit of the body, on the wire and decoded. */
  readonly maxResponseBytes: number;
  /**
   * `refuse`, the default: a larger body fails with `RESPONSE_TOO_LARGE`. `cut`: the response has the start, and the
   * rest is not read. An encoded body can't be cut and still fails.
   */
  readonly onTooLarge?: "refuse" | "cut";
  /** Aborting ends the request with `CANCELLED`. */
  readonly signal?: AbortSignal;
  /** Aborting ends the request with `CANCELLED` if it has not been written; afterwards it has no effect. */
  readonly unsentSignal?: AbortSignal;
  /**
   * Called synchronously immediately before the request is written, and before each redirect is followed. If it throws,
   * nothing leaves, and the request fails with that error.
   */
  readonly beforeSend?: () => void;
  /** Called once, right after a connection got the request; not for redirects. */
  readonly onBytesSent?: () => void;
  /** Called when a written request has timed out. Return a watch to learn of a late response. */
  readonly onTimeout?: () => LateWatch | undefined;
}

/** Watches for the response to a request that has timed out. Its body is counted and discarded. */
export interface LateWatch {
  /** How long to keep the connection open for it, in ms. */
  readonly forMs: number;
  readonly onAnswer: (answer: LateEgressAnswer) => void;
  /** Called once when the watch ends, with or without a response. */
  readonly onOver: () => void;
}

/** A response that was read to its end after its request had timed out. */
export interface LateEgressAnswer {
  readonly status: number;
  /** From the start of the request to the end of the response, in ms. */
  readonly elapsedMs: number;
  /** Size of its body on the wire. */
  readonly responseBytes: number;
}

/** A response with any status. */
export interface EgressResponse {
  /** The URL that responded: that of the request, or of the last redirect that was followed. */
  readonly url: string;
  readonly status: number;
  /** As on the wire, names in lower case, an array if a name occurs more than once. */
  readonly headers: ResponseHeaders;
  /** Decoded, if the body was encoded although the request asked for `identity`. */
  readonly body: Uint8Array;
  /** The body exceeded the limit: see `onTooLarge`. */
  readonly isCut: boolean;
  readonly remoteAddress: string;
  /** In ms; null for a step that did not take place, such as DNS on an open connection. */
  readonly timings: Timings;
  readonly durationMs: number;
  /** Size of the request's body. */
  readonly requestBytes: number;
  /** Size of the response's body on the wire. */
  readonly responseBytes: number;
}
