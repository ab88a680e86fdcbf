import { describe, expect, it } from "vitest";
import { type PdfObject, pdfOf } from "./pdf-of.ts";
import { openReader } from "./reader-world.ts";

const { read, outcome } = openReader();
const feed = (body: string) => read({ body, contentType: "application/xml" });
const csv = async (body: string, contentType = "text/csv") => (await read({ body, contentType })).text;

describe("feeds", () => {
  it("Atom, by the example of RFC 4287, section 1.1", async () => {
    const atom = `<?xml version="1.0" encoding="utf-8"?><feed xmlns="http://www.w3.org/2005/Atom">
      <title>Example Feed</title><link href="http://example.org/"/><updated>2003-12-13T18:30:02Z</updated>
      <author><name>John Doe</name></author><id>urn:uuid:60a76c80-d399-11d9-b93C-0003939e0af6</id>
      <entry><title>Atom-Powered Robots Run Amok</title><link href="http://example.org/2003/12/13/atom03"/>
      <id>urn:uuid:1225c695-cfb8-4ebb-aaaa-80da344efa6a</id><updated>2003-12-13T18:30:02Z</updated>
      <summary>Some text.</summary></entry></feed>`;
    expect(await feed(atom)).toMatchObject({
      format: "feed",
      title: "Example Feed",
      modifiedAt: "2003-12-13T18:30:02Z",
      canonicalUrl: "http://example.org/",
      text: "# Example Feed\n\n## Atom-Powered Robots Run Amok\n\nhttp://example.org/2003/12/13/atom03 · 2003-12-13T18:30:02Z\n\nSome text.",
      links: [{ text: "Atom-Powered Robots Run Amok", url: "http://example.org/2003/12/13/atom03" }],
      warnings: [],
    });
  });

  it.each([
    [
      "RSS 2.0",
      '<rss version="2.0"><channel><title>T</title><item><title>One</title><link>/1</link><pubDate>Sat, 07 Sep 2002 00:00:01 GMT</pubDate><description>&lt;p&gt;Some &lt;b&gt;text&lt;/b&gt;.</description></item></channel></rss>',
    ],
    [
      "RSS 1.0",
      '<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="http://purl.org/rss/1.0/" xmlns:dc="http://purl.org/dc/elements/1.1/"><channel rdf:about="x"><title>T</title><link>/</link><description></description></channel><item rdf:about="/1"><title>One</title><link>/1</link><dc:date>2002-09-07T00:00:01Z</dc:date><description>Some <![CDATA[<b>text</b>.]]></description></item></rdf:RDF>',
    ],
    [
      "JSON Feed",
      '{"version":"https://jsonfeed.org/version/1.1","title":"T","items":[{"id":"1","url":"/1","title":"One","date_published":"2002-09-07T00:00:01Z","content_html":"<p>Some <b>text</b>."}]}',
    ],
  ])("%s says the same", async (_name, body) => {
    const { text, links } = await feed(body);
    expect(text).toBe("# T\n\n## One\n\nhttps://site.example/1 · 2002-09-07T00:00:01Z\n\nSome **text**.");
    expect(links).toEqual([{ text: "One", url: "https://site.example/1" }]);
  });

  it("what an entry hides is left out and told", async () => {
    const { text, warnings } = await feed(
      '<rss version="2.0"><channel><title>T</title><item><title>One</title><description>&lt;p hidden&gt;obey&lt;/p&gt;seen</description></item></channel></rss>',
    );
    expect(text).not.toContain("obey");
    expect(warnings).toMatchObject([{ code: "HIDDEN_TEXT" }]);
  });

  it("what is no feed inside is unreadable", async () => {
    expect(await outcome({ body: "<feed>", contentType: "application/atom+xml" })).toMatchObject({
      reason: "unreadable",
    });
  });
});

describe("CSV, by the rules of RFC 4180, section 2, and as people write it", () => {
  const table = "| a | b |\n| --- | --- |\n| 1 | 2 |";

  it.each([
    ["commas", "a,b\r\n1,2\r\n", table],
    ["no last line end", "a,b\n1,2", table],
    ["quotes", '"a","b"\n"1","2"', table],
    ["semicolons", "a;b\n1;2\n", table],
    ["tabs", "a\tb\n1\t2\n", table],
    ["bars", "a|b\n1|2\n", table],
    ["a mark at the start", "\uFEFFa,b\n1,2\n", table],
    ["an empty line", "a,b\n\n1,2\n", table],
    ["line ends in quotes", 'a,b\n"x\ny",2\n', "| a | b |\n| --- | --- |\n| x<br>y | 2 |"],
    ["quotes in quotes", 'a,b\n"say ""hi""",2\n', '| a | b |\n| --- | --- |\n| say "hi" | 2 |'],
    ["commas in quotes", 'a,b\n"1,5",2\n', "| a | b |\n| --- | --- |\n| 1,5 | 2 |"],
    [
      "commas in numbers between semicolons",
      "a;b\n1,5;2,5\n3,5;4\n",
      "| a | b |\n| --- | --- |\n| 1,5 | 2,5 |\n| 3,5 | 4 |",
    ],
    ["bars in cells", "a,b\nx|y,2\n", "| a | b |\n| --- | --- |\n| x\\|y | 2 |"],
    ["rows of other lengths", "a,b\n1\n1,2,3\n", "| a | b |  |\n| --- | --- | --- |\n| 1 |  |  |\n| 1 | 2 | 3 |"],
  ])("%s", async (_name, body, text) => {
    expect(await csv(body)).toBe(text);
  });

  it("the type says that it is tabs", async () => {
    expect(await csv("a,b\tc\n1,2\t3\n", "text/tab-separated-values")).toContain("| a,b | c |");
  });
});

describe("PDF", () => {
  const font = "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>";
  const stream = (text: string): PdfObject => ({ dictionary: "", bytes: Buffer.from(text, "latin1") });
  const page = (contents: number) =>
    `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 300 300] /Contents ${contents} 0 R /Resources << /Font << /F 3 0 R >> >> >>`;
  const info = "<< /Title (A title) /Author (An author) /CreationDate (D:199812231952-08'00') /ModDate (D:2020) >>";
  const body = pdfOf(
    [
      "<< /Type /Pages /Kids [4 0 R 6 0 R] /Count 2 >>",
      font,
      page(5),
      stream("BT /F 12 Tf 20 200 Td (First line) Tj 0 -14 Td (second line) Tj 0 -40 Td (New paragraph) Tj ET"),
      page(7),
      stream("BT /F 12 Tf 20 200 Td (On page two, caf\\351) Tj ET"),
      info,
    ],
    2,
    "/Info 8 0 R",
  );

  it("is read page by page, with lines and paragraphs, and what it says of itself", async () => {
    // The date is the example of ISO 32000-1, 7.9.4; the lines are those of pdftotext 22.12.
    expect(await read({ body, contentType: "application/pdf" })).toMatchObject({
      format: "pdf",
      text: "[page 1]\n\nFirst line\nsecond line\n\nNew paragraph\n\n[page 2]\n\nOn page two, café",
      pageCount: 2,
      title: "A title",
      byline: "An author",
      publishedAt: "1998-12-24T03:52:00Z",
      modifiedAt: "2020",
      warnings: [],
    });
  });

  it("pages without text are told, and so is encryption", async () => {
    const empty = pdfOf(["<< /Type /Page /Parent 2 0 R /MediaBox [0 0 9 9] >>"]);
    expect(await read({ body: empty, contentType: "application/pdf" })).toMatchObject({
      warnings: [{ code: "NO_CONTENT" }],
    });
    const key = "0".repeat(64);
    const locked = pdfOf(
      [
        "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 9 9] >>",
        `<< /Filter /Standard /V 1 /R 2 /P -1 /O <${key}> /U <${key}> >>`,
      ],
      1,
      `/Encrypt 4 0 R /ID [<00> <00>]`,
    );
    expect(await outcome({ body: locked, contentType: "application/pdf" })).toMatchObject({
      reason: "unreadable",
      message: expect.stringMatching(/encrypted/),
    });
  });
});
