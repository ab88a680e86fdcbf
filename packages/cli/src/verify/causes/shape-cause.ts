import { parseJsonOrUndefined } from "@yagate/lib/json/parse-json";
import { headerOf, type SavedRequest } from "../saved-request.ts";
import type { Cause } from "./cause.ts";
import { decodeText } from "./decode-text.ts";

/**
 * Finds a cause that the form of the request suggests. It is not proven, so the request may have been rejected for
 * another reason.
 */
export function shapeCause(request: SavedRequest, header: string): Cause | undefined {
  const { body } = request;
  if (header === "") {
    return {
      id: "header-missing",
      cause: "there is no X-YA-Signature header",
      advice: "preserve the header: a proxy may drop it, or the tool that saved this request omitted it",
    };
  }
  if (/redacted|^\*+$|^<.*>$|…/i.test(header)) {
    return {
      id: "header-redacted",
      cause: "the signature was removed from the saved request",
      advice: "pass what the handler received, with --header 'X-YA-Signature: …'",
    };
  }
  if (body.length === 0) {
    return {
      id: "body-empty",
      cause: "the body is empty: it was consumed before it was saved",
      advice: "read the body once, as bytes, and pass those on",
    };
  }
  const announced = Number(headerOf(request, "content-length"));
  if (announced > body.length) {
    return {
      id: "body-cut-off",
      cause: `the body was cut off: Content-Length is ${announced} bytes, but there are ${body.length}`,
      advice: "save the complete body; look for a size limit in the tool that saved or parsed it",
    };
  }
  return textCause(request);
}

function textCause({ headers, body }: SavedRequest): Cause | undefined {
  const text = decodeText(body);
  if (text === undefined) return undefined;
  if (text.startsWith("[object ")) {
    return {
      id: "body-object",
      cause: "the body is an object converted to a string: a parser had already read the JSON",
      advice: "mount the handler before any body parser",
    };
  }
  if (text.includes("\uFFFD")) {
    return {
      id: "replacement-characters",
      cause:
        "the body contains replacement characters (U+FFFD): bytes were decoded with the wrong encoding, or in pieces",
      advice: "collect the body as bytes and join them before decoding",
    };
  }
  if (/^\s*[[{]/.test(text) && parseJsonOrUndefined(text) === undefined) {
    return {
      id: "body-cut-off",
      cause: `the body is not complete JSON: it may have been cut off after ${body.length} bytes`,
      advice: "save the complete body; look for a size limit in the tool that saved or parsed it",
    };
  }
  const encoding = headerOf({ headers }, "content-encoding");
  if (encoding !== undefined && encoding.toLowerCase() !== "identity") {
    return {
      id: "decompressed",
      cause: "Content-Encoding says that the body is compressed, but it is not: an intermediary has decompressed it",
      advice: "the gateway never compresses bodies: turn off compression and decompression in transit",
    };
  }
  return undefined;
}
