import type { JsonValue } from "@yagate/protocol";

/** A result as a document. */
export interface Content {
  readonly mediaType: "application/json" | "text/plain";
  readonly text: string;
}

/** A text is itself; every other value its JSON. Half characters, which UTF-8 can't hold, are replaced. */
export function contentOf(result: JsonValue): Content {
  return typeof result === "string"
    ? { mediaType: "text/plain", text: result.toWellFormed() }
    : { mediaType: "application/json", text: JSON.stringify(result) };
}

/** The value again. */
export function parseContent({ mediaType, text }: Content): JsonValue {
  return mediaType === "text/plain" ? text : JSON.parse(text);
}
