import { type AttemptDetail, attemptDetailSchema, SIGNATURE_HEADER, YagateError } from "@yagate/protocol";
import type { SavedRequest } from "./saved-request.ts";

/** The gateway's placeholder for removed secrets. */
const REDACTED = "[redacted]";
const SIGNATURE_HEADERS: readonly string[] = [SIGNATURE_HEADER, "webhook-signature"];

/**
 * Reads the gateway's record of an attempt, with the request that was sent. The record contains no signatures, because
 * with them the call could be sent again.
 *
 * @throws YagateError `INVALID_REQUEST` if the record is malformed, or if its messages have been deleted.
 */
export function readAttemptRecord(json: unknown): SavedRequest {
  const parsed = attemptDetailSchema.safeParse(json);
  if (!parsed.success) {
    throw new YagateError("INVALID_REQUEST", "expected a HAR file, or an attempt as returned by GET /v1/attempts/:id", {
      hint: "a saved HTTP request starts with its request line, such as POST /tools HTTP/1.1",
    });
  }
  return toSavedRequest(parsed.data);
}

export function toSavedRequest({ request, startedAt }: AttemptDetail): SavedRequest {
  if (request === null) {
    throw new YagateError(
      "INVALID_REQUEST",
      "the request and response of this attempt were deleted because of their age",
      {
        hint: "save the request where it arrives, and pass it as a file",
      },
    );
  }
  const body = Buffer.from(request.body);
  const isRedacted = request.body.includes(REDACTED);
  const notes = [];
  if (request.isTruncated) {
    notes.push(`The gateway keeps the first 65536 bytes of a body: ${request.bodyBytes} were sent.`);
  } else if (isRedacted) notes.push("Secrets were removed from the recorded body, so it differs from what was sent.");
  return {
    headers: Object.entries(request.headers).filter(
      ([name, value]) => !(SIGNATURE_HEADERS.includes(name.toLowerCase()) && value === REDACTED),
    ),
    body,
    receivedAtMs: Date.parse(startedAt),
    notes,
    isExact: !request.isTruncated && !isRedacted && body.byteLength === request.bodyBytes,
  };
}
