import type { Timings } from "@yagate/protocol";
import type { ConnectionPool } from "./connection-pool.ts";
import { EgressError } from "./egress-error.ts";
import type { ResponseHeaders } from "./exchange.ts";
import type { Gate } from "./gate.ts";
import { PendingRequest } from "./pending-request.ts";
import { toHeaderList } from "./request-headers.ts";

/** Methods that a request may have. */
export type EgressMethod = "GET" | "HEAD" | "POST" | "PUT" | "PATCH" | "DELETE";

/** One request. */
export interface EgressRequest {
  readonly method: EgressMethod;
  readonly url: string;
  /** Names and printable ASCII values. Headers that frame the message, and `Host`, are refused. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Uint8Array;
  /** Total time from DNS to the last byte of the answer, decoding included; 1 to 2 147 483 647 ms. */
  readonly timeoutMs: number;
  /** Limit of the body, on the wire and decoded. */
  readonly maxResponseBytes: number;
  /** Aborting ends the request with `CANCELLED`. */
  readonly signal?: AbortSignal;
  /** Called synchronously right before the request is written; when it throws, nothing leaves and that is the error. */
  readonly beforeSend?: () => void;
  /** Called once, right after the request was handed to the connection. */
  readonly onBytesSent?: () => void;
}

/** An answer, whatever its status: redirects are not followed. */
export interface EgressResponse {
  readonly status: number;
  /** As on the wire, names in lower case, an array where a name came more than once. */
  readonly headers: ResponseHeaders;
  /** Decoded, if the answer was packed though `identity` was asked for. */
  readonly body: Uint8Array;
  readonly remoteAddress: string;
  /** In ms; null for a step that did not take place, such as DNS on a connection that was open already. */
  readonly timings: Timings;
  readonly durationMs: number;
  /** Size of the request's body. */
  readonly requestBytes: number;
  /** Size of the answer's body on the wire. */
  readonly responseBytes: number;
}

const METHODS: ReadonlySet<string> = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"]);
const MAX_TIMEOUT_MS = 2 ** 31 - 1;

/**
 * Sends a request and reads the whole answer.
 *
 * @throws EgressError, or what `beforeSend` or `onBytesSent` threw.
 */
export async function sendRequest(gate: Gate, pool: ConnectionPool, options: EgressRequest): Promise<EgressResponse> {
  const startedAt = performance.now();
  const { method, timeoutMs, maxResponseBytes, signal } = options;
  requireArgument(METHODS.has(method), `the method must be one of ${[...METHODS].join(", ")}`);
  requireArgument(timeoutMs >= 1 && timeoutMs <= MAX_TIMEOUT_MS, `timeoutMs must be 1 to ${MAX_TIMEOUT_MS}`);
  requireArgument(Number.isInteger(maxResponseBytes) && maxResponseBytes >= 0, "maxResponseBytes must be a size");
  const destination = gate.parse(options.url);
  const headers = toHeaderList(options.headers);
  if (signal?.aborted) {
    throw new EgressError("CANCELLED", "the request was cancelled", { reason: "cancelled before it began" });
  }
  return new Promise((resolve, reject) => {
    new PendingRequest({ destination, headers, options, startedAt, resolve, reject }).start(pool);
  });
}

function requireArgument(isMet: boolean, message: string): void {
  if (!isMet) {
    throw new EgressError("INVALID_ARGUMENTS", message, { reason: message });
  }
}
