import { RenderError } from "../request/render-error.ts";
import type { TextEncoding } from "./template-values.ts";

/** Percent-encodes all characters except unreserved ones (RFC 3986, section 2.3). */
function percentEncode(text: string): string {
  if (!text.isWellFormed()) throw new RenderError("INVALID_ARGUMENTS", "text in the url must be well-formed Unicode");
  return encodeURIComponent(text).replace(/[!'()*]/g, encodeSubDelimiter);
}

function encodeSubDelimiter(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase()}`;
}

/**
 * Encodes text in a URL whose literal parts the author has already encoded. Secrets keep `*`, so that `***NAME***`
 * stays readable.
 */
export const IN_URL: TextEncoding = { text: (text) => text, argument: percentEncode, secret: encodeURIComponent };

/** Encodes text in a query that is given as names and values, which are not encoded yet. */
export const IN_QUERY: TextEncoding = { text: percentEncode, argument: percentEncode, secret: encodeURIComponent };
