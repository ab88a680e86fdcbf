import { type AttemptDetail, attemptDetailSchema, SIGNATURE_HEADER, YagateError } from "@yagate/protocol";
import type { SavedRequest } from "./saved-request.ts";

/** What the gateway writes where something secret was. */
const REDACTED = "[redacted]";
const SIGNATURE_HEADERS: readonly string[] = [SIGNATURE_HEADER, "webhook-signature"];

/**
 * Reads what the gateway has recorded of one attempt: what it sent. The signatures are not in it, since whoever had
 * them could send the call again.
 *
 * @throws YagateError `INVALID_REQUEST` when the record is of another form, or its messages were deleted.
 */
export function readAttemptRecord(json: unknown): SavedRequest {
  const parsed = attemptDetailSchema.safeParse(json);
  if (!parsed.success) {
    throw new YagateError("INVALID_REQUEST", "expected a HAR file, or an attempt as GET /v1/attempts/:id answers", {
      hint: "a request that was saved as HTTP begins with its request line, such as POST /tools HTTP/1.1",
    });
  }
  return toSavedRequest(parsed.data);
}

export function toSavedRequest({ request, startedAt }: AttemptDetail): SavedRequest {
  if (request === null) {
    throw new YagateError("INVALID_REQUEST", "the messages of this attempt were deleted for their age", {
      hint: "save the request where it arrives, and give it as a file",
    });
  }
  const body = Buffer.from(request.body);
  const isRedacted = request.body.includes(REDACTED);
  const notes = [];
  if (request.isTruncated) {
    notes.push(`The gateway keeps the first 65536 bytes of a body: ${request.bodyBytes} were sent.`);
  } else if (isRedacted) notes.push("Secrets were taken out of the recorded body, so that it is not what was sent.");
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
