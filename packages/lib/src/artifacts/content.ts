import type { JsonValue } from "@yagate/protocol";

/** A result as the text of a document, together with its media type. */
export interface Content {
  readonly mediaType: "application/json" | "text/plain";
  readonly text: string;
}

/**
 * Converts a result to a document. A string stays as it is; any other value becomes JSON. Lone surrogates, which UTF-8
 * can't encode, are replaced.
 */
export function contentOf(result: JsonValue): Content {
  return typeof result === "string"
    ? { mediaType: "text/plain", text: result.toWellFormed() }
    : { mediaType: "application/json", text: JSON.stringify(result) };
}

/** Converts a document back to the value. */
export function parseContent({ mediaType, text }: Content): JsonValue {
  return mediaType === "text/plain" ? text : JSON.parse(text);
}
