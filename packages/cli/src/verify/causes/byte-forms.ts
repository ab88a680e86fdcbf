import { brotliDecompressSync, gunzipSync, inflateSync } from "node:zlib";
import { decodeChunked } from "../decode-chunked.ts";
import type { BodyChange } from "./cause.ts";
import { decodeText } from "./decode-text.ts";

/** The limit for decompression: a compressed body may expand to far more than the size of a call. */
const MAX_INFLATED_BYTES = 2_097_152;

const BOM = Buffer.from("\uFEFF");

const WINDOWS_1252 = new TextDecoder("windows-1252");

/** Changes by intermediaries that decode bytes to text or encode them. */
export const BYTE_CHANGES: readonly BodyChange[] = [
  {
    id: "white-space",
    cause: "white space at the start or the end was added or trimmed after the body was signed",
    advice: "pass the body on unchanged; editors and `echo` add a line break to a file",
    *forms(body) {
      const text = body.toString("latin1");
      for (const end of ["\n", "\r\n", " "]) yield Buffer.concat([body, Buffer.from(end)]);
      yield Buffer.from(text.replace(/\r?\n$/, ""), "latin1");
      // Not trim: in Latin-1, that would also remove half of characters such as "à".
      yield Buffer.from(text.replace(/[ \t\r\n]+$/, ""), "latin1");
      yield Buffer.from(text.replace(/^[ \t\r\n]+|[ \t\r\n]+$/g, ""), "latin1");
    },
  },
  {
    id: "byte-order-mark",
    cause: "a byte order mark was added or removed after the body was signed",
    advice: "save and pass on the body as bytes; editors and .NET's UTF-8 writers add the mark",
    *forms(body) {
      yield Buffer.concat([BOM, body]);
      if (body.subarray(0, BOM.length).equals(BOM)) yield body.subarray(BOM.length);
    },
  },
  {
    id: "line-ends",
    cause: "line endings were changed between LF and CRLF after the body was signed",
    advice: "pass the body on as bytes: an intermediary treats it as text",
    *forms(body) {
      const text = body.toString("latin1");
      yield Buffer.from(text.replaceAll("\r\n", "\n"), "latin1");
      yield Buffer.from(text.replace(/\r?\n/g, "\r\n"), "latin1");
    },
  },
  {
    id: "unicode-form",
    cause: "the text was converted to another Unicode normal form after it was signed",
    advice: "pass the body on as bytes: an intermediary normalises text",
    *forms(body) {
      const text = decodeText(body);
      if (text === undefined) return;
      for (const form of ["NFC", "NFD", "NFKC"]) yield Buffer.from(text.normalize(form));
    },
  },
  {
    id: "encoding",
    cause: "the text was converted to an encoding other than UTF-8 after it was signed",
    advice: "read and write the body as bytes; the gateway sends UTF-8",
    *forms(body) {
      const text = decodeText(body);
      // UTF-8 that was read as Latin-1 or Windows-1252 and then written as UTF-8.
      if (text !== undefined) yield Buffer.from(text, "latin1");
      if (text !== undefined) yield fromWindows1252(text);
      // UTF-8 that was converted to Latin-1, Windows-1252 or UTF-16.
      yield Buffer.from(body.toString("latin1"));
      yield Buffer.from(WINDOWS_1252.decode(body));
      yield Buffer.from(body.toString("utf16le").replace(/^\uFEFF/, ""));
    },
  },
  {
    id: "compressed",
    cause: "the body was compressed after it was signed",
    advice:
      "signatures cover the bytes as the gateway sends them, which are never compressed: turn off the compression",
    *forms(body) {
      for (const inflate of [gunzipSync, inflateSync, brotliDecompressSync]) {
        try {
          yield inflate(body, { maxOutputLength: MAX_INFLATED_BYTES });
        } catch {
          // The body was not compressed in this way.
        }
      }
    },
  },
  {
    id: "framing",
    cause: "the body still contains the framing of chunked transfer coding",
    advice: "save the body without the sizes of its chunks",
    *forms(body) {
      const content = decodeChunked(body);
      if (content !== undefined) yield content;
    },
  },
  {
    id: "text-encoded",
    cause: "the body was encoded after it was signed (base64, hex, or as a form)",
    advice: "decode it to the received bytes before verification; functions behind an API gateway often receive base64",
    *forms(body) {
      const text = body.toString("latin1").trim();
      if (/^[A-Za-z0-9+/_-]+=*$/.test(text)) yield Buffer.from(text, "base64");
      if (/^(?:[0-9a-fA-F]{2})+$/.test(text)) yield Buffer.from(text, "hex");
      const spaced = text.replaceAll("+", " ");
      for (const form of [text, spaced, spaced.replace(/=$/, ""), spaced.replace(/^[^=]*=/, "")]) {
        try {
          yield Buffer.from(decodeURIComponent(form));
        } catch {
          // The text is not valid percent-encoding.
        }
      }
    },
  },
];

/** Encodes characters as Windows-1252. A table contains the 27 characters that Latin-1 lacks. */
function fromWindows1252(text: string): Buffer {
  const codes = new Map(Array.from({ length: 256 }, (_, code) => [WINDOWS_1252.decode(Uint8Array.of(code)), code]));
  return Buffer.from(Array.from(text, (character) => codes.get(character) ?? 0x3f));
}
