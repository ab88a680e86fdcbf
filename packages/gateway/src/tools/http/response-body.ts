import { readResponseJson } from "@yagate/calls/read-response";
import type { Redaction } from "@yagate/lib/redaction/redaction";
import type { JsonValue } from "@yagate/protocol";
import { readCutJson } from "./read-cut-json.ts";

/** A body in the form in which a model reads it. */
export interface ResponseBody {
  /** JSON as its value, other text as a string, and for any other body a string that states its size. */
  readonly value: JsonValue;
  /** The text to store in the record. */
  readonly text: string;
  /**
   * Number of bytes that `value` represents. Smaller than the size of the body if the response was cut or is not text.
   */
  readonly keptBytes: number;
}

const JSON_TYPE = /^application\/(?:[a-z0-9.+-]+\+)?json\b/i;
const CHARSET = /;\s*charset\s*=\s*"?([a-z0-9_-]+)/i;
/** Media types whose bytes are text in the declared charset, by default UTF-8. */
const TEXT_TYPE =
  /^(?:text\/|application\/(?:xml|javascript|ecmascript|x-www-form-urlencoded|x-ndjson|yaml|x-yaml|graphql|[a-z0-9.+-]+\+xml)\b)/i;
const UTF_8: ReadonlySet<string> = new Set(["utf-8", "utf8"]);
const LATIN_1: ReadonlySet<string> = new Set(["iso-8859-1", "latin1", "latin-1", "windows-1252", "us-ascii", "ascii"]);

/**
 * Reads the body of a response.
 *
 * @param contentType - the content type of the response; undefined if it has none.
 * @param isCut - whether the bytes are only the beginning of the body.
 * @param redaction - removes secrets before anything else is done with the body.
 */
export async function readResponseBody(
  bytes: Uint8Array,
  contentType: string | undefined,
  { isCut, redaction }: { readonly isCut: boolean; readonly redaction: Pick<Redaction, "body" | "json"> },
): Promise<ResponseBody> {
  if (bytes.byteLength === 0) return { value: null, text: "", keptBytes: 0 };
  const decoded = decode(bytes, contentType, isCut);
  if (decoded === undefined) {
    const value = { bytes: bytes.byteLength, note: "the body is not text and was left out" };
    return { value, text: `[${bytes.byteLength} bytes that are not text]`, keptBytes: 0 };
  }
  const text = await redaction.body(decoded, { isCut });
  const keptBytes = bytes.byteLength;
  if (!JSON_TYPE.test(contentType ?? "")) return { value: text, text, keptBytes };
  const json = isCut ? readCutJson(text) : readWhole(text);
  if (json === undefined) return { value: text, text, keptBytes };
  // Once its escapes are decoded, a string may contain a secret that was encoded in one more layer than the redaction
  // searches.
  const value = text.includes("\\") ? redaction.json(json.value) : json.value;
  return { value, text, keptBytes: isCut ? Buffer.byteLength(json.kept) : keptBytes };
}

function readWhole(text: string): ReturnType<typeof readCutJson> {
  const json = readResponseJson(text);
  return json.isReadable ? { value: json.value, kept: text } : undefined;
}

function decode(bytes: Uint8Array, contentType: string | undefined, isCut: boolean): string | undefined {
  const charset = CHARSET.exec(contentType ?? "")?.[1]?.toLowerCase() ?? "utf-8";
  const isText = contentType === undefined || TEXT_TYPE.test(contentType) || JSON_TYPE.test(contentType);
  // A body with any other type may still be text for which its server has no type.
  const encoding = isText || UTF_8.has(charset) ? encodingOf(charset, bytes) : undefined;
  const text = encoding === undefined ? undefined : decodeAs(encoding, bytes, isCut);
  // Text does not contain NUL. If NUL occurs between characters, as in undeclared UTF-16, the redaction would not
  // recognise any secret.
  return text?.includes("\0") === true ? undefined : text;
}

/** Returns the name of an encoding for `TextDecoder`; undefined if it is not supported. */
function encodingOf(charset: string, [first, second]: Uint8Array): string | undefined {
  if (UTF_8.has(charset)) return "utf-8";
  if (LATIN_1.has(charset)) return "windows-1252";
  if (charset === "utf-16le" || charset === "utf-16be") return charset;
  if (charset !== "utf-16") return undefined;
  return first === 0xfe && second === 0xff ? "utf-16be" : "utf-16le";
}

function decodeAs(encoding: string, bytes: Uint8Array, isCut: boolean): string | undefined {
  try {
    // Decoded as a stream, so that a character at the cut is left out.
    return new TextDecoder(encoding, { fatal: true }).decode(bytes, { stream: isCut });
  } catch {
    return undefined;
  }
}
