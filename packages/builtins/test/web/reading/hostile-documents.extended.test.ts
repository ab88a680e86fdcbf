import { deflateSync } from "node:zlib";
import { afterAll, describe, expect, it, vi } from "vitest";
import { DocumentError, type ReadDocument } from "../../../src/web/port.ts";
import { createDocumentReader } from "../../../src/web/reading/document-reader.ts";
import { pdfOf } from "./pdf-of.ts";

// Time is for a machine that does much else; one after the other, so that none takes the time of the next.
vi.setConfig({ testTimeout: 30_000 });
const reader = createDocumentReader({ timeoutMs: 25_000, memoryMegabytes: 384, maxRunning: 1 });
afterAll(() => reader.close());

type Outcome = ReadDocument | DocumentError;

async function outcomeOf(body: string | Uint8Array, contentType?: string): Promise<Outcome> {
  const bytes = typeof body === "string" ? new TextEncoder().encode(body) : body;
  try {
    return await reader.read({ body: bytes, contentType, url: "https://site.example/page" });
  } catch (error) {
    if (error instanceof DocumentError) return error;
    throw error;
  }
}

const told = (outcome: Outcome) =>
  outcome instanceof DocumentError ? outcome.reason : outcome.warnings.map(({ code }) => code);
const textIn = (outcome: Outcome) => (outcome instanceof DocumentError ? "" : outcome.text);
const FLATE = "/Filter /FlateDecode";

describe("what is built to break readers ends as text with warnings, and the next one is read", () => {
  it.each<[string, () => string, string, string | undefined]>([
    [
      "100 000 nested tags",
      () => `${"<div>".repeat(100_000)}inside${"</div>".repeat(100_000)}<p>after`,
      "inside\n\nafter",
      "TOO_DEEP",
    ],
    ["100 000 nested tags that are not closed", () => `${"<b><p>".repeat(50_000)}inside`, "inside", "TOO_DEEP"],
    ["100 000 nested lists", () => `${"<ul><li>".repeat(50_000)}inside`, "inside", "TOO_DEEP"],
    ["50 000 nested tables", () => `${"<table><tr><td>".repeat(50_000)}inside`, "inside", "TOO_DEEP"],
    ["closing tags of nothing", () => `<p>start${"</div></b></x>".repeat(100_000)}<p>end`, "start\n\nend", undefined],
    ["an attribute of 10 MB", () => `<p title="${"x".repeat(10_000_000)}">text`, "text", undefined],
    [
      "a million attributes",
      () => `<p ${Array.from({ length: 1_000_000 }, (_, at) => `a${at}=1`).join(" ")}>text`,
      "text",
      undefined,
    ],
    ["a tag that does not end", () => `<p>text<a href="${"x".repeat(5_000_000)}`, "text", undefined],
    ["a comment that does not end", () => `<p>text<!--${"- ".repeat(2_000_000)}`, "text", undefined],
    ["a name of 5 MB", () => `<p>text</p><${"x".repeat(5_000_000)}>`, "text", undefined],
    [
      "a span over 10^9 columns and rows",
      () => "<table><tr><th>a<th>b<tr><td colspan=1000000000 rowspan=1000000000>c<tr><td>d<td>e</table>",
      "| a | b |",
      "TABLE_CUT",
    ],
    [
      "a table of 120 000 cells",
      () => `<table><tr><th>a<th>b${"<tr><td>c<td>d".repeat(60_000)}</table>`,
      "| a | b |",
      "TABLE_CUT",
    ],
    ["a run of a million backticks in code", () => `<p>text <code>${"`".repeat(1_000_000)}</code>`, "text", undefined],
    ["a million entities", () => `<p>${"&amp;&#x41;&notanentity".repeat(300_000)}`, "&A¬anentity", undefined],
    [
      "a colour and a style of a million characters",
      () => `<p style="color:rgba(${" ,".repeat(500_000)}">text`,
      "text",
      undefined,
    ],
    [
      "a class of a million words",
      () => `<p class="${"cookie-x ".repeat(500_000)}">text</p><p>${"more ".repeat(20)}`,
      "more",
      undefined,
    ],
    [
      "JSON-LD of 5 MB",
      () => `<script type="application/ld+json">${"[".repeat(5_000_000)}</script><p>text`,
      "text",
      undefined,
    ],
    [
      "JSON-LD that is nested 100 000 deep",
      () => `<script type="application/ld+json">${"[".repeat(50_000)}${"]".repeat(50_000)}</script><p>text`,
      "text",
      undefined,
    ],
    ["white space of 5 MB", () => `<p>start${" \n".repeat(2_500_000)}end`, "start end", undefined],
  ])("%s", async (_name, make, text, code) => {
    const outcome = await outcomeOf(`<!doctype html><html><body>${make()}`, "text/html");
    expect(textIn(outcome)).toContain(text);
    if (code !== undefined) expect(told(outcome)).toContain(code);
  });

  it("more elements than any page has are a limit", async () => {
    expect(told(await outcomeOf(`<!doctype html>${"<br>".repeat(500_000)}`))).toBe("limit");
  });
});

describe("feeds, tables and JSON that are built to break readers", () => {
  it.each<[string, () => string, string, unknown]>([
    [
      "entities that unfold to gigabytes",
      () => {
        const entities = Array.from({ length: 10 }, (_, at) => `<!ENTITY e${at + 1} "${`&e${at};`.repeat(10)}">`).join(
          "",
        );
        return `<?xml version="1.0"?><!DOCTYPE rss [<!ENTITY e0 "lol">${entities}]><rss version="2.0"><channel><title>t &e10;</title><link>https://x.example</link><item><title>one</title></item></channel></rss>`;
      },
      "application/rss+xml",
      expect.anything(),
    ],
    [
      "an entity that names a file",
      () =>
        '<?xml version="1.0"?><!DOCTYPE rss [<!ENTITY f SYSTEM "file:///etc/passwd">]><rss version="2.0"><channel><title>&f;</title><link>https://x.example</link><item><title>one &f;</title></item></channel></rss>',
      "application/rss+xml",
      expect.anything(),
    ],
    [
      "a feed that is nested 100 000 deep",
      () => `<rss version="2.0"><channel><title>t</title>${"<a>".repeat(100_000)}`,
      "application/rss+xml",
      expect.anything(),
    ],
    [
      "a feed of 5 MB",
      () => `<rss version="2.0"><channel>${"<item><title>a</title></item>".repeat(180_000)}`,
      "application/rss+xml",
      "limit",
    ],
    ["a million columns", () => `${"a,".repeat(1_000_000)}b\n`, "text/csv", expect.arrayContaining(["INVALID_CSV"])],
    ["a thousand columns", () => `${"a,".repeat(1_000)}b\n1,2\n`, "text/csv", ["TABLE_CUT"]],
    ["a quote that does not end", () => `a,b\n"${"x,\n".repeat(300_000)}`, "text/csv", expect.anything()],
    ["200 000 rows", () => "a,b\n1,2\n".repeat(100_000), "text/csv", ["TABLE_CUT"]],
    ["JSON that is nested 500 000 deep", () => "[".repeat(500_000) + "]".repeat(500_000), "application/json", []],
    ["JSON of 10 MB", () => `[${"{},".repeat(3_000_000)}{}]`, "application/json", ["TRUNCATED"]],
  ])("%s", async (_name, make, type, expected) => {
    const outcome = await outcomeOf(make(), type);
    expect(told(outcome)).toEqual(expected);
    expect(textIn(outcome)).not.toMatch(/lollol|root:/);
    expect(textIn(outcome).length).toBeLessThan(3_000_000);
  });
});

describe("PDFs that are built to break readers", () => {
  const page = (contents: string) =>
    `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 200 200] /Contents ${contents} /Resources << /Font << /F 5 0 R >> >> >>`;
  const bomb = deflateSync(new Uint8Array(200 * 1_024 * 1_024).fill(0x20));

  const formPage = page("4 0 R").replace("/Font << /F 5 0 R >>", "/XObject << /X 6 0 R >>");
  const form = deflateSync(Buffer.concat([Buffer.from("/X Do "), Buffer.alloc(60 * 1_024 * 1_024, 0x20)]), {
    level: 9,
  });
  const forms = Array.from({ length: 8 }, (_, at) => ({
    dictionary: `/Type /XObject /Subtype /Form /BBox [0 0 9 9] ${FLATE} /Resources << /XObject << /X ${at + 7} 0 R >> >>`,
    bytes: form,
  }));

  it.each<[string, () => Uint8Array, unknown]>([
    [
      "a stream of 200 KB that unpacks to 200 MB",
      () => pdfOf([page("4 0 R"), { dictionary: FLATE, bytes: bomb }]),
      expect.anything(),
    ],
    [
      "a stream that is packed twice",
      () => pdfOf([page("4 0 R"), { dictionary: "/Filter [/FlateDecode /FlateDecode]", bytes: deflateSync(bomb) }]),
      expect.anything(),
    ],
    [
      "pictures in pictures, each of 60 MB",
      () => pdfOf([formPage, { dictionary: "", bytes: Buffer.from("/X Do") }, "<< >>", ...forms]),
      "limit",
    ],
    [
      "pages that hold themselves",
      () => pdfOf(["<< /Type /Pages /Kids [2 0 R 3 0 R] /Count 2 >>", page("4 0 R")]),
      expect.anything(),
    ],
    [
      "half a file",
      () => pdfOf([page("4 0 R"), { dictionary: "", bytes: new Uint8Array(2_000) }]).subarray(0, 300),
      expect.anything(),
    ],
    ["a number of pages that can't be", () => pdfOf([page("4 0 R")], 2_000_000_000), expect.anything()],
    ["nothing but the mark", () => new TextEncoder().encode("%PDF-1.7\n"), "unreadable"],
    [
      "100 000 nested arrays",
      () => new TextEncoder().encode(`%PDF-1.4\n1 0 obj\n${"[".repeat(100_000)}\nendobj\ntrailer << /Root 1 0 R >>`),
      expect.anything(),
    ],
    [
      "a page and a PDF in one",
      () => new TextEncoder().encode("%PDF-1.4\n<html><body><script>alert(1)</script><p>text"),
      "unreadable",
    ],
  ])("%s", async (_name, make, expected) => {
    const before = process.memoryUsage.rss();
    const outcome = await outcomeOf(make(), "application/pdf");
    expect(told(outcome)).toEqual(expected);
    expect(process.memoryUsage.rss() - before).toBeLessThan(900 * 1_024 * 1_024);
  });
});

it("a body that is too large is refused before it is looked at", async () => {
  const outcome = await outcomeOf(new Uint8Array(17 * 1_024 * 1_024), "text/html");
  expect(told(outcome)).toBe("limit");
});

it("after all of them a page is read as ever", async () => {
  expect(textIn(await outcomeOf("<h1>Title</h1><p>text"))).toBe("# Title\n\ntext");
});
