import { describe, expect, it } from "vitest";
import { readFileAsDocument } from "../../../../src/search/local/documents/read-file.ts";
import type { ReadDocument } from "../../../../src/web/port.ts";

const read = async (path: string, text: string | Uint8Array) => {
  const bytes = typeof text === "string" ? new TextEncoder().encode(text) : text;
  const reading = await readFileAsDocument(path, bytes, undefined);
  if ("skipped" in reading) return reading;
  const { text: _text, ...rest } = reading.document;
  return rest;
};

describe("a file that is text", () => {
  it.each([
    ["its first heading", "guide.md", "# Refunds\n\ntext", { title: "Refunds", url: "local:///guide.md" }],
    ["its front matter", "a.md", "---\ntitle: Fees\n---\n# Other\n", { title: "Fees", url: "local:///a.md" }],
    ["its name", "how-to_refund.txt", "text", { title: "how to refund", url: "local:///how-to_refund.txt" }],
    ["its folder, for an index", "fees/README.md", "text", { title: "fees", url: "local:///fees/README.md" }],
  ])("is called by %s", async (_name, path, text, expected) => {
    expect(await read(path, text)).toEqual(expected);
  });

  // RFC 3986, section 2: what a path may hold only as percent-encoded octets.
  it.each([
    ["a b.md", "local:///a%20b.md"],
    ["50%.md", "local:///50%25.md"],
    ["what?.md", "local:///what%3F.md"],
    ["a#b.md", "local:///a%23b.md"],
    ["größe/ä.md", "local:///gr%C3%B6%C3%9Fe/%C3%A4.md"],
    ["日本.md", "local:///%E6%97%A5%E6%9C%AC.md"],
  ])("%s is cited as %s", async (path, url) => {
    expect(await read(path, "text")).toMatchObject({ url });
    expect(new URL(url).href).toBe(url);
  });

  it.each([
    ["url: https://example.com/a", { url: "https://example.com/a" }],
    ["canonical: http://example.com/b", { url: "http://example.com/b" }],
    ["permalink: https://example.com/c", { url: "https://example.com/c" }],
    ["url: javascript:alert(1)", { url: "local:///a.md" }],
    ["url: file:///etc/passwd", { url: "local:///a.md" }],
    ["url: https://user:secret@example.com/", { url: "local:///a.md" }],
    ["url: not a url", { url: "local:///a.md" }],
    ["date: 2024-02-29", { publishedAt: "2024-02-29" }],
    ["date: 2024-05-01T10:00:00+02:00", { publishedAt: "2024-05-01T08:00:00.000Z" }],
    ["published: 2024-05-01 10:00:00", { publishedAt: "2024-05-01T10:00:00.000Z" }],
    ["publishDate: 2024-05-01", { publishedAt: "2024-05-01" }],
    ["lang: de_CH", { language: "de-CH" }],
    ["language: de", { language: "de" }],
    ["locale: pt-BR", { language: "pt-BR" }],
    ["site: Handbook", { siteName: "Handbook" }],
    ["site_name: Handbook", { siteName: "Handbook" }],
    ["date: 2024-02-30", {}],
    ["date: last week", {}],
    ["lang: klingon!", {}],
    ["tags: [a, b]", {}],
  ])("says in its front matter: %s", async (line, expected) => {
    expect(await read("a.md", `---\n${line}\n---\ntext`)).toEqual({ title: "a", url: "local:///a.md", ...expected });
  });

  it("may have its front matter in TOML", async () => {
    const text = '+++\ntitle = "Fees"\ndate = 2024-05-01\n+++\ntext';
    expect(await read("a.md", text)).toEqual({ title: "Fees", url: "local:///a.md", publishedAt: "2024-05-01" });
  });

  it.each([
    ["two rules with text between them", "---\njust a text\n---\nmore"],
    ["YAML that is broken", "---\n{a: [\n---\nmore"],
    ["aliases that grow", `---\na: &a [x,x]\nb: &b [*a,*a]\nc: [*b,*b]\n---\nmore`],
  ])("keeps %s as text", async (_name, text) => {
    const reading = await readFileAsDocument("a.md", new TextEncoder().encode(text), undefined);
    expect(reading).toMatchObject({ document: { text } });
  });

  it.each([
    ["UTF-8", Buffer.from("größe")],
    ["UTF-8 with a mark", Buffer.from("\ufeffgröße")],
    ["UTF-16, little-endian", Buffer.from("\ufeffgröße", "utf16le")],
    ["UTF-16, big-endian", Buffer.from("\ufeffgröße", "utf16le").swap16()],
    ["Windows-1252", Buffer.from("größe", "latin1")],
  ])("may be in %s", async (_name, bytes) => {
    expect(await readFileAsDocument("a.txt", bytes, undefined)).toMatchObject({ document: { text: "größe" } });
  });

  it.each([
    ["a NUL", "a.txt", Buffer.from("a\0b"), "binary"],
    ["nothing but space", "a.md", Buffer.from(" \n\t\n"), "empty"],
    ["HTML without a reader", "a.html", Buffer.from("<p>a"), "unreadable"],
  ])("with %s is left out", async (_name, path, bytes, skipped) => {
    expect(await read(path, bytes)).toEqual({ skipped });
  });
});

it("hands what is no text to the reader of documents, and believes only http of its canonical URL", async () => {
  const document: ReadDocument = {
    format: "html",
    text: "# Fees\n\nnone",
    title: "Fees – Handbook",
    siteName: "Handbook",
    canonicalUrl: "javascript:1",
    publishedAt: "2024-05-01T10:00:00.000Z",
    language: "en",
    links: [],
    warnings: [],
  };
  const asked: unknown[] = [];
  const reader = {
    async read(raw: object) {
      asked.push({ ...raw, body: undefined });
      return document;
    },
  };
  expect(await readFileAsDocument("a/fees.html", Buffer.from("<h1>Fees</h1>"), reader)).toEqual({
    document: {
      title: "Fees – Handbook",
      text: document.text,
      url: "local:///a/fees.html",
      siteName: "Handbook",
      publishedAt: "2024-05-01T10:00:00.000Z",
      language: "en",
    },
  });
  expect(asked).toEqual([{ body: undefined, contentType: "text/html", url: "local:///a/fees.html" }]);
});
