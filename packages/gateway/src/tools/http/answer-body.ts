import type { JsonValue } from "@yagate/protocol";
import { readAnswerJson } from "../../dispatch/answer-json.ts";
import type { Redaction } from "../../secrets/redaction.ts";

/** What a model gets of a body. */
export interface AnswerBody {
  /** JSON as it is, other text as text, of anything else only its size. */
  readonly value: JsonValue;
  /** What may be kept of it. */
  readonly text: string;
}

const JSON_TYPE = /^application\/(?:[a-z0-9.+-]+\+)?json\b/i;
const CHARSET = /;\s*charset\s*=\s*"?([a-z0-9_-]+)/i;
/** Types whose bytes are text in a charset that is told, or UTF-8. */
const TEXT_TYPE =
  /^(?:text\/|application\/(?:xml|javascript|ecmascript|x-www-form-urlencoded|x-ndjson|yaml|x-yaml|graphql|[a-z0-9.+-]+\+xml)\b)/i;
const LATIN_1: ReadonlySet<string> = new Set(["iso-8859-1", "latin1", "latin-1", "windows-1252", "us-ascii", "ascii"]);

/**
 * Reads the body of an answer.
 *
 * @param contentType - as the answer says it; undefined where it says nothing.
 * @param isCut - the bytes are the beginning only.
 * @param redaction - takes secrets out of it, before anything else is done with it.
 */
export async function readAnswerBody(
  bytes: Uint8Array,
  contentType: string | undefined,
  { isCut, redaction }: { readonly isCut: boolean; readonly redaction: Pick<Redaction, "body"> },
): Promise<AnswerBody> {
  if (bytes.byteLength === 0) return { value: null, text: "" };
  const decoded = decode(bytes, contentType, isCut);
  if (decoded === undefined) {
    const value = { bytes: bytes.byteLength, note: "the body is not text and was left out" };
    return { value, text: `[${bytes.byteLength} bytes that are not text]` };
  }
  const text = await redaction.body(decoded, { isCut });
  const isJson = JSON_TYPE.test(contentType ?? "") && !isCut;
  const json = isJson ? readAnswerJson(text) : undefined;
  return { value: json?.isReadable === true ? json.value : text, text };
}

function decode(bytes: Uint8Array, contentType: string | undefined, isCut: boolean): string | undefined {
  const charset = CHARSET.exec(contentType ?? "")?.[1]?.toLowerCase() ?? "utf-8";
  const isText = contentType === undefined || TEXT_TYPE.test(contentType) || JSON_TYPE.test(contentType);
  // What says that it is something else may still be text that its server has no type for.
  if (LATIN_1.has(charset)) return isText ? new TextDecoder("windows-1252").decode(bytes) : undefined;
  if (charset !== "utf-8" && charset !== "utf8") return undefined;
  const text = decodeUtf8(bytes, isCut);
  // No text holds NUL; of many other formats the first bytes do.
  return text === undefined || (!isText && /\0/.test(text)) ? undefined : text;
}

function decodeUtf8(bytes: Uint8Array, isCut: boolean): string | undefined {
  try {
    // As a stream, so that a character that the cut goes through is left out.
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes, { stream: isCut });
  } catch {
    return undefined;
  }
}
