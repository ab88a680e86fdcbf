import { setTimeout as pass } from "node:timers/promises";
import { isRetryableStatus } from "@yagate/lib/http/retryable-status";
import { defined } from "@yagate/lib/objects/defined";
import { YagateError } from "@yagate/protocol";

/** Delays before a broken response is requested again while the server cannot be reached, in ms. */
const DELAYS_MS = [250, 500, 1_000, 2_000, 4_000, 8_000];
/** The server still sends the response over the connection of a process that froze. */
const CONFLICT = 409;

/** The server no longer has the rest of a response. */
export class ResponseGoneError extends YagateError {
  constructor() {
    super("NETWORK_ERROR", "the MCP server no longer has the rest of its response");
  }
}

/**
 * Requests the rest of a response. While the server cannot be reached or is busy, the request is repeated for 16 seconds:
 * reading a response changes nothing.
 *
 * @throws ResponseGoneError if the server does not have the rest; the error of `request`.
 */
export async function fetchRest(request: () => Promise<Response>, signal: AbortSignal | undefined): Promise<Response> {
  for (const delayMs of [...DELAYS_MS, undefined]) {
    const response = await request().catch((error: unknown) => {
      if (delayMs === undefined || !isUnreachable(error)) throw error;
    });
    if (response?.ok === true) return response;
    await response?.body?.cancel();
    const isBusy = response === undefined || response.status === CONFLICT || isRetryableStatus(response.status);
    if (delayMs === undefined || !isBusy) break;
    await pass(delayMs, undefined, defined({ signal }));
  }
  throw new ResponseGoneError();
}

function isUnreachable(error: unknown): boolean {
  return YagateError.is(error) && (error.code === "NETWORK_ERROR" || error.code === "TIMEOUT");
}
