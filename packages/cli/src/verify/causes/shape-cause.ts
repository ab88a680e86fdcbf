import { headerOf, type SavedRequest } from "../saved-request.ts";
import type { Cause } from "./cause.ts";
import { decodeText } from "./decode-text.ts";

/** A cause that shows in the request itself. Nothing was tried: it may be there and not be what went wrong. */
export function shapeCause(request: SavedRequest, header: string): Cause | undefined {
  const { body } = request;
  if (header === "") {
    return {
      id: "header-missing",
      cause: "there is no X-YA-Signature header",
      advice: "let the header pass: a proxy may drop it, and what saved this request may have left it out",
    };
  }
  if (/redacted|^\*+$|^<.*>$|…/i.test(header)) {
    return {
      id: "header-redacted",
      cause: "the signature was taken out of the saved request",
      advice: "give what the handler received, with --header 'X-YA-Signature: …'",
    };
  }
  if (body.length === 0) {
    return {
      id: "body-empty",
      cause: "the body is empty: something has read it before it was saved",
      advice: "read the body once, as bytes, and hand those on",
    };
  }
  const announced = Number(headerOf(request, "content-length"));
  if (announced > body.length) {
    return {
      id: "body-cut-off",
      cause: `the body was cut off: Content-Length says ${announced} bytes, and ${body.length} are here`,
      advice: "save the whole body; look for a limit of size in what saved or parsed it",
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
      cause: "the body is an object that was turned into a text: a parser had read the JSON before",
      advice: "mount the handler before any body parser",
    };
  }
  if (text.includes("\uFFFD")) {
    return {
      id: "replacement-characters",
      cause:
        "the body has replacement characters (U+FFFD): bytes were read as a text in the wrong encoding, or in pieces",
      advice: "collect the body as bytes and join them before anything decodes them",
    };
  }
  if (/^\s*[[{]/.test(text) && !isJson(text)) {
    return {
      id: "body-cut-off",
      cause: `the body is no complete JSON: it may have been cut off after ${body.length} bytes`,
      advice: "save the whole body; look for a limit of size in what saved or parsed it",
    };
  }
  const encoding = headerOf({ headers }, "content-encoding");
  if (encoding !== undefined && encoding.toLowerCase() !== "identity") {
    return {
      id: "decompressed",
      cause: "Content-Encoding says that the body is compressed, and it is not: something has inflated it",
      advice: "the gateway never compresses: turn off what compresses and inflates on the way",
    };
  }
  return undefined;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
