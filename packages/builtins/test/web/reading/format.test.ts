import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { DocumentError } from "../../../src/web/port.ts";
import { pdfOf } from "./pdf-of.ts";
import { openReader } from "./reader-world.ts";

const { outcome, reader } = openReader();
const RSS =
  '<?xml version="1.0"?><rss version="2.0"><channel><title>t</title><item><title>i</title></item></channel></rss>';
const PAGE = "<!doctype html><html><body><p>text</body></html>";
const pdf = pdfOf(["<< /Type /Page /Parent 2 0 R /MediaBox [0 0 9 9] >>"]);

describe("the format of a document", () => {
  it.each<[string, string | Uint8Array, string | undefined, string, string?]>([
    ["a page", PAGE, "text/html", "html"],
    ["a page as text", PAGE, "text/plain; charset=utf-8", "html"],
    ["a page as bytes", PAGE, "application/octet-stream", "html"],
    ["a page without a type", PAGE, undefined, "html"],
    ["a page as an image", PAGE, "image/png", "html"],
    ["a page after a comment", `<!-- ${"x".repeat(300)} -->\n${PAGE}`, "text/plain", "html"],
    ["a part of a page", "<p>text", "text/html", "html"],
    ["words as a page", "just words", "text/html", "html"],
    ["text that shows markup", "<p> starts a paragraph", "text/plain", "text"],
    ["text", "words", "text/plain", "text"],
    ["Markdown", "# Title", "text/markdown", "text"],
    ["XML that is no feed", '<?xml version="1.0"?><note><to>you</to></note>', "application/xml", "text"],
    ["PDF as bytes", pdf, "application/octet-stream", "pdf"],
    ["PDF as a page", pdf, "text/html", "pdf"],
    ["PDF after some bytes", Buffer.concat([Buffer.from("\r\n\r\n"), pdf]), "application/pdf", "pdf"],
    ["JSON", '{"a":1}', "application/json", "json"],
    ["JSON of a kind", '{"a":1}', "application/problem+json; charset=utf-8", "json"],
    ["JSON as a page", '{"a":1}', "text/html", "json"],
    ["JSON as text, by its name", '{"a":1}', "text/plain", "json", "https://site.example/a.json"],
    ["JSON without a type", '[{"a":1}]', undefined, "json"],
    ["CSV", "a,b\n1,2", "text/csv", "csv"],
    ["CSV as text, by its name", "a,b\n1,2", "text/plain", "csv", "https://site.example/data.csv?x=1"],
    ["RSS as XML", RSS, "application/xml", "feed"],
    ["RSS as a page", RSS, "text/html", "feed"],
    ["Atom", '<feed xmlns="http://www.w3.org/2005/Atom"><title>t</title></feed>', "application/atom+xml", "feed"],
    [
      "JSON Feed as JSON",
      '{"version":"https://jsonfeed.org/version/1.1","title":"t","items":[]}',
      "application/json",
      "feed",
    ],
  ])("%s", async (_name, body, contentType, format, url) => {
    expect(await outcome({ body, contentType, url })).toMatchObject({ format });
  });

  it.each<[string, Uint8Array | string, string | undefined, RegExp]>([
    ["a PNG image", Buffer.from("89504e470d0a1a0a0000000d49484452", "hex"), "text/html", /PNG image/],
    ["a JPEG image", Buffer.from("ffd8ffe000104a46494600", "hex"), "image/jpeg", /JPEG image/],
    ["a WebP image", Buffer.from("524946462400000057454250565038", "hex"), undefined, /WebP image/],
    [
      "a ZIP archive",
      Buffer.from("504b030414000000080000002100", "hex"),
      "application/zip",
      /ZIP archive or an office document/,
    ],
    ["a gzip archive", gzipSync("text"), "text/plain", /gzip archive/],
    ["a program", Buffer.from("7f454c4602010100", "hex"), undefined, /program/],
    ["an SVG image", '<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg"/>', "image/svg+xml", /SVG image/],
    ["a film", Buffer.from("000000186674797069736f6d", "hex"), "video/mp4", /audio or video/],
    ["bytes of no kind", Buffer.from("0001020304050607", "hex"), "text/plain", /binary data/],
  ])("%s is told in words", async (_name, body, contentType, words) => {
    const told = await outcome({ body, contentType });
    expect(told).toBeInstanceOf(DocumentError);
    expect(told).toMatchObject({ reason: "unsupported", message: expect.stringMatching(words) });
  });

  it("JSON that is none is text, with a warning; lines of JSON are JSON", async () => {
    expect(await outcome({ body: '{"a":', contentType: "application/json" })).toMatchObject({
      format: "text",
      text: '{"a":',
      warnings: [{ code: "INVALID_JSON" }],
    });
    expect(await outcome({ body: '{"a":1}\n{"a":2}\n', contentType: "application/x-ndjson" })).toMatchObject({
      format: "json",
      warnings: [],
    });
  });

  it("a text is cut at a character, and that is told", async () => {
    const body = new TextEncoder().encode("ab😀cd");
    const cut = await reader.read(
      { body, contentType: "text/plain", url: "https://site.example/" },
      { maxCharacters: 3 },
    );
    expect(cut).toMatchObject({ text: "ab", warnings: [{ code: "TRUNCATED" }] });
  });
});
