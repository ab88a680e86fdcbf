import type { Timings } from "@yagate/protocol";
import type { DestinationCheck } from "./destination-check.ts";
import type { ResponseHeaders } from "./exchange.ts";

/** Methods that a request may have. */
export type EgressMethod = "GET" | "HEAD" | "POST" | "PUT" | "PATCH" | "DELETE";

/** One request. */
export interface EgressRequest {
  readonly method: EgressMethod;
  readonly url: string;
  /** Names and printable ASCII values. Headers that frame the message, and `Host`, are refused. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Uint8Array;
  /** Whose request it is: connections are shared within a group, and counted for it alone. Default: those without one. */
  readonly group?: string;
  /** Where this request may go, beside what the guard's policy says; asked for every redirect too. Default: anywhere. */
  readonly approved?: DestinationCheck;
  /**
   * `refuse`, the default: a redirect is the answer, and its `location` is data. `revalidate`: up to 3 are followed,
   * each a whole new decision: https only, never into `allowCidrs`, at another origin without the caller's headers but
   * `accept`, `accept-language` and `user-agent`. 303, and 301 and 302 after a POST, become a GET without a body; any
   * other redirect that would repeat a body, or a method other than GET and HEAD, fails with `REDIRECT_REFUSED`.
   */
  readonly redirects?: "refuse" | "revalidate";
  /** Total time from DNS to the last byte of the answer, decoding and redirects included; 1 to 2 147 483 647 ms. */
  readonly timeoutMs: number;
  /** Limit of the body, on the wire and decoded. */
  readonly maxResponseBytes: number;
  /**
   * `refuse`, the default: a larger body fails with `RESPONSE_TOO_LARGE`. `cut`: what fits is the answer, and the rest is
   * not read; of a body that came packed nothing can be cut, so that it fails all the same.
   */
  readonly onTooLarge?: "refuse" | "cut";
  /** Aborting ends the request with `CANCELLED`. */
  readonly signal?: AbortSignal;
  /** Aborting ends the request with `CANCELLED` as long as it was not written; afterwards it changes nothing. */
  readonly unsentSignal?: AbortSignal;
  /**
   * Called synchronously right before the request is written, and again before each redirect is followed; when it
   * throws, nothing leaves and that is the error.
   */
  readonly beforeSend?: () => void;
  /** Called once, right after the request was handed to the connection; not for redirects. */
  readonly onBytesSent?: () => void;
  /** Called when a request that was written has timed out: who wants to know when its answer comes all the same. */
  readonly onTimeout?: () => LateWatch | undefined;
}

/** Somebody who watches for the answer to a request that has timed out. Its body is counted and thrown away. */
export interface LateWatch {
  /** How long the connection is kept open for it, in ms. */
  readonly forMs: number;
  readonly onAnswer: (answer: LateEgressAnswer) => void;
  /** Called once, when nothing is watched for any more, whatever came. */
  readonly onOver: () => void;
}

/** An answer that was read to its end after its request had timed out. */
export interface LateEgressAnswer {
  readonly status: number;
  /** From the start of the request to the end of the answer. */
  readonly elapsedMs: number;
  /** Size of its body on the wire. */
  readonly responseBytes: number;
}

/** An answer, whatever its status. */
export interface EgressResponse {
  /** What answered: the URL of the request, or that of the last redirect that was followed. */
  readonly url: string;
  readonly status: number;
  /** As on the wire, names in lower case, an array where a name came more than once. */
  readonly headers: ResponseHeaders;
  /** Decoded, if the answer was packed though `identity` was asked for. */
  readonly body: Uint8Array;
  /** The body went on past the limit: see `onTooLarge`. */
  readonly isCut: boolean;
  readonly remoteAddress: string;
  /** In ms; null for a step that did not take place, such as DNS on a connection that was open already. */
  readonly timings: Timings;
  readonly durationMs: number;
  /** Size of the request's body. */
  readonly requestBytes: number;
  /** Size of the answer's body on the wire. */
  readonly responseBytes: number;
}
