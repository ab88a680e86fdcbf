import type { ConnectionPool } from "./connection-pool.ts";
import { EgressError } from "./egress-error.ts";
import type { Gate } from "./gate.ts";
import type { EgressRequest, EgressResponse } from "./message.ts";
import { PendingRequest } from "./pending-request.ts";
import { toHeaderList } from "./request-headers.ts";

const METHODS: ReadonlySet<string> = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"]);
const ALLOWED_METHODS = `the method must be one of ${[...METHODS].join(", ")}`;
const MAX_TIMEOUT_MS = 2 ** 31 - 1;
const TIMEOUT_RANGE = `timeoutMs must be from 1 to ${MAX_TIMEOUT_MS}`;

/** The gate of a policy, with the connections that were opened under that policy. */
export interface EgressRoute {
  readonly gate: Gate;
  readonly pool: ConnectionPool;
}

/**
 * Sends a request and reads the complete response. A redirect is returned like any other response.
 *
 * @throws EgressError, or the error that `beforeSend` or `onBytesSent` threw.
 */
export function sendRequest(route: EgressRoute, options: EgressRequest): Promise<EgressResponse> {
  // One promise for the whole exchange; what `start` throws rejects it.
  return new Promise((resolve, reject) => start(route, options, resolve, reject));
}

function start(
  { gate, pool }: EgressRoute,
  options: EgressRequest,
  resolve: (response: EgressResponse) => void,
  reject: (error: unknown) => void,
): void {
  const startedAt = performance.now();
  const { method, timeoutMs, maxResponseBytes, signal, unsentSignal } = options;
  requireArgument(METHODS.has(method), ALLOWED_METHODS);
  requireArgument(timeoutMs >= 1 && timeoutMs <= MAX_TIMEOUT_MS, TIMEOUT_RANGE);
  requireArgument(
    Number.isInteger(maxResponseBytes) && maxResponseBytes >= 0,
    "maxResponseBytes must be a whole number of at least 0",
  );
  // Checked first, because the error can suggest another host.
  options.approved?.check(options.url);
  const destination = gate.parse(options.url);
  const headers = toHeaderList(options.headers);
  if (signal?.aborted || unsentSignal?.aborted) {
    throw new EgressError("CANCELLED", "the request was cancelled", { reason: "cancelled before it started" });
  }
  new PendingRequest({ destination, headers, options, startedAt, resolve, reject }).start(pool);
}

function requireArgument(isMet: boolean, message: string): void {
  if (!isMet) {
    throw new EgressError("INVALID_ARGUMENTS", message, { reason: message });
  }
}
