import { YagateError } from "@yagate/protocol";
import { decodeChunked } from "./decode-chunked.ts";
import { parseHeaderLine } from "./parse-header-line.ts";
import { headerOf, type SavedRequest } from "./saved-request.ts";

const REQUEST_LINE = /^[A-Z]+ \S+ HTTP\/\d/;

/** Checks whether a file starts like an HTTP request. */
export function isRawMessage(bytes: Buffer): boolean {
  return REQUEST_LINE.test(bytes.subarray(0, 2_048).toString("latin1"));
}

/**
 * Parses a request in the format of HTTP/1.1: request line, headers, an empty line, body. Lines before the body may end
 * with LF alone, as editors save them; the body is kept byte for byte.
 *
 * @throws YagateError `INVALID_REQUEST`.
 */
export function readRawMessage(bytes: Buffer): SavedRequest {
  const { head, body } = split(bytes);
  const headers = head
    .split(/\r?\n/)
    .slice(1)
    .map((line, index) => parseHeaderLine(line, `line ${index + 2}`));
  const isChunked = /\bchunked\b/i.test(headerOf({ headers }, "transfer-encoding") ?? "");
  const chunked = isChunked ? decodeChunked(body) : undefined;
  return { headers, body: chunked ?? body, notes: [], isExact: true };
}

function split(bytes: Buffer): { readonly head: string; readonly body: Buffer } {
  const ends = ["\r\n\r\n", "\n\n"]
    .map((mark) => ({ mark, at: bytes.indexOf(mark) }))
    .filter(({ at }) => at !== -1)
    .sort((left, right) => left.at - right.at);
  const [end] = ends;
  if (end === undefined) {
    throw new YagateError("INVALID_REQUEST", "expected an empty line between the headers and the body", {
      hint: "a request without a body also ends with an empty line",
    });
  }
  return { head: bytes.subarray(0, end.at).toString("utf8"), body: bytes.subarray(end.at + end.mark.length) };
}
