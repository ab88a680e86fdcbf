import { DocumentError, type DocumentFormat } from "../port.ts";
import { encodingOfZeros } from "./charset/decode-text.ts";

/** Number of bytes at the start of a body that are inspected. */
const HEAD_BYTES = 4_096;

/** Signatures of binary formats, and their names in messages. */
const BINARY: readonly (readonly [string, readonly number[], string])[] = [
  ["a PNG image", [0x89, 0x50, 0x4e, 0x47], "image"],
  ["a JPEG image", [0xff, 0xd8, 0xff], "image"],
  ["a GIF image", [0x47, 0x49, 0x46, 0x38], "image"],
  ["a ZIP archive or an office document", [0x50, 0x4b, 0x03, 0x04], "archive"],
  ["a ZIP archive", [0x50, 0x4b, 0x05, 0x06], "archive"],
  ["a gzip archive", [0x1f, 0x8b], "archive"],
  ["an xz archive", [0xfd, 0x37, 0x7a, 0x58, 0x5a], "archive"],
  ["a 7z archive", [0x37, 0x7a, 0xbc, 0xaf], "archive"],
  ["a RAR archive", [0x52, 0x61, 0x72, 0x21], "archive"],
  ["a Zstandard archive", [0x28, 0xb5, 0x2f, 0xfd], "archive"],
  ["an old office document", [0xd0, 0xcf, 0x11, 0xe0], "office"],
  ["a program", [0x7f, 0x45, 0x4c, 0x46], "program"],
  ["a WebAssembly module", [0x00, 0x61, 0x73, 0x6d], "program"],
  ["audio or video", [0x4f, 0x67, 0x67, 0x53], "media"],
  ["a sound", [0x49, 0x44, 0x33], "media"],
  ["a film", [0x1a, 0x45, 0xdf, 0xa3], "media"],
  ["a SQLite database", [0x53, 0x51, 0x4c, 0x69, 0x74, 0x65, 0x20, 0x66], "database"],
];

const FORMATS_READ = "supported formats are HTML, PDF, plain text, JSON, CSV and feeds";
const HTML_START =
  /^<(?:!doctype\s+html|html|head|body|title|meta|link|script|style|div|p|h[1-6]|table|main|article|section|header|nav|ul|ol|br|a|span|b|i|img|font|center|iframe|pre)[\s/>]/i;
const FEED_START = /<(?:rss|feed|rdf:RDF|(?:\w+:)?RDF|channel)[\s>]/;

/**
 * Detects the format of a document. Its first bytes take precedence over `Content-Type`, because servers often mislabel
 * content.
 *
 * @throws DocumentError `unsupported`.
 */
export function detectFormat(bytes: Uint8Array, contentType: string | undefined, url: string): DocumentFormat {
  const type = (contentType ?? "").split(";", 1)[0]?.trim().toLowerCase() ?? "";
  const head = bytes.subarray(0, HEAD_BYTES);
  const latin = new TextDecoder("latin1").decode(head);
  // PDF readers accept up to 1,024 bytes before the signature, but a web page may contain the signature in its text.
  const pdfAt = latin.slice(0, 1_024).indexOf("%PDF-");
  if (pdfAt === 0 || (pdfAt > 0 && (type === "application/pdf" || !/[<{[]/.test(latin.slice(0, pdfAt))))) return "pdf";
  const binary = BINARY.find(([, mark]) => mark.every((byte, at) => head[at] === byte));
  if (binary !== undefined) throw unsupported(binary[0]);
  if (/^RIFF....WEBP/s.test(latin)) throw unsupported("a WebP image");
  if (/^RIFF/.test(latin) || /^....ftyp/s.test(latin)) throw unsupported("audio or video");
  const isWide = /^(?:\xff\xfe|\xfe\xff)/.test(latin) || encodingOfZeros(head) !== undefined;
  if (!isWide && looksBinary(head)) throw unsupported(binaryName(type));
  return formatOfText(isWide ? latin.replaceAll("\0", "") : latin, type, url);
}

function formatOfText(latin: string, type: string, url: string): DocumentFormat {
  const start = latin.replace(/^(?:\xef\xbb\xbf|\xff\xfe|\xfe\xff)/, "").trimStart();
  const isLabelledXml = /[/+]xml$/.test(type) && type !== "application/xhtml+xml";
  if (start.startsWith("<")) {
    const first = afterPrologue(start);
    if (/^<svg[\s>]/i.test(first) || /^<svg[\s>]/i.test(afterDoctype(first))) throw unsupported("an SVG image");
    const isFeed = FEED_START.test(start.slice(0, 2_048)) && !/<(?:!doctype\s+)?html[\s>]/i.test(start.slice(0, 512));
    if (isFeed && type !== "text/plain") return "feed";
    if (HTML_START.test(first) && !(type === "text/plain" && !/^<(?:!doctype\s+html|html)[\s>]/i.test(first))) {
      return "html";
    }
    if (isFeed) return "feed";
    if (isLabelledXml) return "text";
  }
  const isFeedJson = /^\{[\s\S]{0,512}"version"\s*:\s*"https:\/\/jsonfeed\.org\/version\//.test(start);
  if (isFeedJson || type === "application/feed+json") return "feed";
  if (/[/+]json$/.test(type) || type === "application/x-ndjson" || type === "text/json") return "json";
  if (type === "text/csv" || type === "text/tab-separated-values" || type === "application/csv") return "csv";
  if (type === "text/html" || type === "application/xhtml+xml") {
    // JSON labelled as HTML, which is the default in some frameworks.
    return /^(?:\{\s*["}]|\[\s*[[{"\d\]])/.test(start) && !/<[a-z!/]/i.test(start) ? "json" : "html";
  }
  if (/^(?:text|application)\/(?:plain|octet-stream)$|^$/.test(type)) {
    const path = pathOf(url);
    if (/\.(?:csv|tsv)$/i.test(path)) return "csv";
    if (/\.json$/i.test(path) && /^[[{"]/.test(start)) return "json";
    if (type !== "text/plain" && /^(?:\{\s*["}]|\[\s*[[{"\d\]])/.test(start)) return "json";
  }
  return "text";
}

/** Skips comments and processing instructions. Uses no regular expression, because one would backtrack here. */
function afterPrologue(text: string): string {
  let at = 0;
  for (;;) {
    const mark = text.startsWith("<!--", at) ? "-->" : text.startsWith("<?", at) ? ">" : undefined;
    if (mark === undefined) return text.slice(at);
    const end = text.indexOf(mark, at + 2);
    if (end === -1) return text.slice(at);
    at = end + mark.length;
    while (/\s/.test(text.charAt(at))) at += 1;
  }
}

function afterDoctype(text: string): string {
  const end = /^<!doctype\s/i.test(text) ? text.indexOf(">") : -1;
  return end === -1 ? text : afterPrologue(text.slice(end + 1).trimStart());
}

function pathOf(url: string): string {
  return URL.parse(url)?.pathname ?? "";
}

function looksBinary(head: Uint8Array): boolean {
  let wrong = 0;
  for (const byte of head) {
    if (byte === 0) return true;
    if (byte < 0x20 && byte !== 0x09 && byte !== 0x0a && byte !== 0x0c && byte !== 0x0d && byte !== 0x1b) wrong += 1;
  }
  return wrong > Math.max(3, head.length * 0.02);
}

function binaryName(type: string): string {
  const kind = /^(image|audio|video|font)\//.exec(type)?.[1];
  if (kind === undefined) return "binary data";
  return { image: "an image", audio: "a sound", video: "a film", font: "a font" }[kind] ?? "binary data";
}

function unsupported(what: string): DocumentError {
  return new DocumentError("unsupported", `it is ${what}: ${FORMATS_READ}`);
}
