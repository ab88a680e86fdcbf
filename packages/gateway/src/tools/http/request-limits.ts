import { YagateError } from "@yagate/protocol";
import type { RenderedRequest } from "./port.ts";

/** Longest URL of a rendered request, in characters. */
export const MAX_REQUEST_URL_LENGTH = 8_192;
/** Largest body of a rendered request, in bytes. */
export const MAX_REQUEST_BODY_BYTES = 65_536;

/**
 * Holds a rendered request to its size.
 *
 * @returns the same request.
 * @throws YagateError `INVALID_ARGUMENTS`, for the model.
 */
export function withinRequestLimits(request: RenderedRequest): RenderedRequest {
  if (request.url.length > MAX_REQUEST_URL_LENGTH) {
    const message = `the arguments make a url of more than ${MAX_REQUEST_URL_LENGTH} characters: shorten them`;
    throw new YagateError("INVALID_ARGUMENTS", message);
  }
  if (request.body !== undefined && bodyBytes(request.body) > MAX_REQUEST_BODY_BYTES) {
    const message = `the arguments make a body of more than ${MAX_REQUEST_BODY_BYTES} bytes: shorten them`;
    throw new YagateError("INVALID_ARGUMENTS", message);
  }
  return request;
}

function bodyBytes(body: NonNullable<RenderedRequest["body"]> | null): number {
  return Buffer.byteLength(typeof body === "string" ? body : JSON.stringify(body));
}
