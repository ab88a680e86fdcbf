import type { CancelSignal } from "@yagate/lib/async/cancellation";
import type { Timings } from "@yagate/protocol";
import type { DestinationCheck } from "./destination-check.ts";
import type { ResponseHeaders } from "./exchange.ts";

/** HTTP methods of requests. */
export type EgressMethod = "GET" | "HEAD" | "POST" | "PUT" | "PATCH" | "DELETE";

/** A request to send. */
export interface EgressRequest {
  readonly method: EgressMethod;
  readonly url: string;
  /** Header names, with values in printable ASCII. `Host` and headers that frame the message are rejected. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Uint8Array;
  /**
   * The group of the request. Requests in a group share connections, which are counted per group. By default, the
   * request shares one group with all other requests without a group.
   */
  readonly group?: string;
  /**
   * Restricts where this request may go, in addition to the guard's policy. It also applies to every redirect. Default:
   * no further restriction.
   */
  readonly approved?: DestinationCheck;
  /**
   * `refuse`, the default, returns a redirect as the response. `revalidate` follows up to 3 redirects and checks each
   * one again: only to https, never into `allowCidrs`, and to another origin only with the headers `accept`,
   * `accept-language` and `user-agent`. After a 303, or after a 301 or 302 in response to a POST, the next request is a
   * GET without a body. A redirect that would repeat a body, or a method other than GET and HEAD, fails with
   * `REDIRECT_REFUSED`.
   */
  readonly redirects?: "refuse" | "revalidate";
  /**
   * Total time limit in ms, from DNS to the last byte of the response, including decoding and redirects; 1 to
   * 2,147,483,647.
   */
  readonly timeoutMs: number;
  /** Maximum size of the response's body in bytes. It applies to the body on the wire and to the decoded body. */
  readonly maxResponseBytes: number;
  /**
   * What happens if the body is too large. `refuse`, the default: the request fails with `RESPONSE_TOO_LARGE`. `cut`:
   * the response contains the start of the body, and the rest is not read. Encoded bodies cannot be cut, so they fail
   * in either case.
   */
  readonly onTooLarge?: "refuse" | "cut";
  /** Aborting this signal makes the request fail with `CANCELLED`. */
  readonly signal?: CancelSignal;
  /** Aborting this signal makes the request fail with `CANCELLED`, unless the request has already been written. */
  readonly unsentSignal?: CancelSignal;
  /**
   * Called synchronously, immediately before the request is written and before each redirect is followed. If it throws,
   * the request fails with that error, and nothing more is sent.
   */
  readonly beforeSend?: () => void;
  /** Called once, immediately after the request has been handed to a connection; not called for redirects. */
  readonly onBytesSent?: () => void;
  /** Called if a request times out after it was written. Return a watch to be notified of a late response. */
  readonly onTimeout?: () => LateWatch | undefined;
}

/** Watches for the response to a request that has timed out. The body of that response is counted and discarded. */
export interface LateWatch {
  /** How long to keep the connection open for the response, in ms. */
  readonly forMs: number;
  readonly onAnswer: (answer: LateEgressAnswer) => void;
  /** Called once when the watch ends, with or without a response. */
  readonly onOver: () => void;
}

/** A response that was read completely after its request had timed out. */
export interface LateEgressAnswer {
  readonly status: number;
  /** Time from the start of the request to the end of the response, in ms. */
  readonly elapsedMs: number;
  /** Size of the response's body on the wire, in bytes. */
  readonly responseBytes: number;
}

/** A response with any status. */
export interface EgressResponse {
  /** The URL of the response: that of the request, or of the last redirect that was followed. */
  readonly url: string;
  readonly status: number;
  /** Headers as received, with names in lower case. The value is an array if a name occurs more than once. */
  readonly headers: ResponseHeaders;
  /** The body. If the server encoded it, although the request asked for `identity`, it is decoded. */
  readonly body: Uint8Array;
  /** Whether the body exceeded the limit and was cut: see `onTooLarge`. */
  readonly isCut: boolean;
  readonly remoteAddress: string;
  /**
   * Duration of each step in ms; null for a step that did not happen. On an open connection, for example, DNS does not
   * happen.
   */
  readonly timings: Timings;
  readonly durationMs: number;
  /** Size of the request's body in bytes. */
  readonly requestBytes: number;
  /** Size of the response's body on the wire, in bytes. */
  readonly responseBytes: number;
}
