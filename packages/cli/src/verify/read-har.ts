import { SIGNATURE_HEADER, YagateError } from "@yagate/protocol";
import { field, listField, textField } from "./json-fields.ts";
import { headerOf, type SavedRequest } from "./saved-request.ts";

const NOTE = "A HAR file stores the body as text: bytes that are not UTF-8 are lost.";

/**
 * Reads one request from a HAR file: the selected one, or the only one with a signature.
 *
 * @param entry - the number of the entry, starting at 1.
 * @throws YagateError `INVALID_REQUEST`.
 */
export function readHar(har: unknown, entry: number | undefined): SavedRequest {
  const entries = listField(field(har, "log"), "entries");
  if (entry !== undefined) {
    const chosen = entries[entry - 1];
    if (chosen === undefined)
      throw invalid(`--entry: expected 1 to ${entries.length}`, "count the entries in the file");
    return readEntry(chosen);
  }
  const signed = entries
    .map((candidate, index) => ({ number: index + 1, request: readEntry(candidate) }))
    .filter(({ request }) => headerOf(request, SIGNATURE_HEADER) !== undefined);
  const [only] = signed;
  if (only === undefined) {
    throw invalid(
      "expected a request with X-YA-Signature in the HAR file",
      "select a request without it with --entry <number>",
    );
  }
  if (signed.length > 1) {
    throw invalid(
      `expected one request with X-YA-Signature in the HAR file, found ${signed.length}`,
      `choose one with --entry: ${signed.map(({ number }) => number).join(", ")}`,
    );
  }
  return only.request;
}

function readEntry(entry: unknown): SavedRequest {
  const request = field(entry, "request");
  const headers = listField(request, "headers").map(
    (header) => [textField(header, "name") ?? "", textField(header, "value") ?? ""] as const,
  );
  const postData = field(request, "postData");
  const encoding = textField(postData, "encoding") === "base64" ? "base64" : "utf8";
  const startedAt = Date.parse(textField(entry, "startedDateTime") ?? "");
  return {
    headers,
    body: Buffer.from(textField(postData, "text") ?? "", encoding),
    receivedAtMs: Number.isNaN(startedAt) ? undefined : startedAt,
    notes: encoding === "base64" ? [] : [NOTE],
    isExact: encoding === "base64",
  };
}

function invalid(message: string, hint: string): YagateError {
  return new YagateError("INVALID_REQUEST", message, { hint });
}
