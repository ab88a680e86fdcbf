import { describe, expect, it } from "vitest";
import { openReader } from "./reader-world.ts";

const { page } = openReader();
const head = (html: string) => page(`<html><head>${html}</head><body><h1>Heading</h1><p>text`);
const ld = (value: unknown) => `<script type="application/ld+json">${JSON.stringify(value)}</script>`;

describe("what a page says of itself", () => {
  it("is read of JSON-LD as schema.org has it, before all others", async () => {
    const article = {
      "@context": "https://schema.org",
      "@graph": [
        { "@type": "BreadcrumbList", name: "crumbs" },
        {
          "@type": ["NewsArticle"],
          headline: "From JSON-LD",
          author: [{ "@type": "Person", name: "A. Writer" }, "B. Writer"],
          datePublished: "2024-02-29T08:00:00+08:00",
          dateModified: "2024-03-01",
          publisher: { "@type": "Organization", name: "The Paper" },
          description: "What it is about.",
        },
      ],
    };
    expect(await head(`<title>other</title><meta name=author content=other>${ld(article)}`)).toMatchObject({
      title: "From JSON-LD",
      byline: "A. Writer, B. Writer",
      siteName: "The Paper",
      description: "What it is about.",
      publishedAt: "2024-02-29T00:00:00Z",
      modifiedAt: "2024-03-01",
    });
  });

  it("is read of Open Graph, as ogp.me has it", async () => {
    const html = `<html lang="pt-br"><head><title>t | site</title><meta property="og:title" content="The  title">
      <meta property="og:site_name" content="Site"><meta property="og:description" content="About.">
      <meta property="article:published_time" content="2020-01-02T03:04:05Z">
      <meta property="article:modified_time" content="2021-01-02T03:04:05.678-03:00"><p>text`;
    expect(await page(html)).toMatchObject({
      title: "The title",
      siteName: "Site",
      description: "About.",
      publishedAt: "2020-01-02T03:04:05Z",
      modifiedAt: "2021-01-02T06:04:05Z",
      language: "pt-BR",
    });
  });

  it.each<[string, string, object]>([
    ["the title", "<title>A &amp; B\n</title>", { title: "A & B" }],
    ["the heading where there is no title", "", { title: "Heading" }],
    [
      "Dublin Core",
      '<meta name="DC.title" content="T"><meta name="DC.creator" content="C"><meta name="DC.date" content="1999-12-31">',
      { title: "T", byline: "C", publishedAt: "1999-12-31" },
    ],
    ["the author", "<meta name=author content='An author'>", { byline: "An author" }],
    ["the language of http-equiv", "<meta http-equiv=content-language content=de>", { language: "de" }],
    ["the locale of Open Graph", "<meta property=og:locale content=zh_TW>", { language: "zh-TW" }],
    ["the canonical address", '<link rel=canonical href="/right">', { canonicalUrl: "https://site.example/right" }],
    [
      "the element time",
      '<time class="entry-date" datetime="2022-05-06T07:08+02:00">May</time>',
      { publishedAt: "2022-05-06T05:08:00Z" },
    ],
  ])("%s", async (_name, html, expected) => {
    expect(await head(html)).toMatchObject(expected);
  });

  it.each<[string, string, string]>([
    ["an address that is no page", '<link rel=canonical href="javascript:alert(1)">', "canonicalUrl"],
    ["a language that is none", "<meta http-equiv=content-language content='!!'>", "language"],
    ["JSON-LD that is broken", '<script type="application/ld+json">{"@type":"Article","author":</script>', "byline"],
    [
      "JSON-LD with keys of prototypes",
      '<script type="application/ld+json">{"@type":"Article","__proto__":{"author":"x"},"constructor":{"author":"y"}}</script>',
      "byline",
    ],
  ])("%s counts for nothing", async (_name, html, key) => {
    expect(await head(html)).not.toHaveProperty(key);
  });

  it.each<[string, string | undefined]>([
    // RFC 3339, section 5.8.
    ["1985-04-12T23:20:50.52Z", "1985-04-12T23:20:50Z"],
    ["1996-12-19T16:39:57-08:00", "1996-12-20T00:39:57Z"],
    // RFC 2822, appendix A.1.1 and A.6.
    ["Fri, 21 Nov 1997 09:55:06 -0600", "1997-11-21T15:55:06Z"],
    ["21 Nov 97 09:55:06 GMT", undefined],
    // RFC 9110, section 5.6.7.
    ["Sun, 06 Nov 1994 08:49:37 GMT", "1994-11-06T08:49:37Z"],
    // The formats of W3C's note on date and time.
    ["1997", "1997"],
    ["1997-07", "1997-07"],
    ["1997-07-16", "1997-07-16"],
    ["1997-07-16T19:20+01:00", "1997-07-16T18:20:00Z"],
    ["20200102T030405Z", "2020-01-02T03:04:05Z"],
    ["2024-02-30", undefined],
    ["2023-02-29", undefined],
    ["2024-13-01", undefined],
    ["01/02/2024", undefined],
    ["last week", undefined],
  ])("a date written %s", async (written, iso) => {
    const { publishedAt } = await head(`<meta name=date content="${written}">`);
    expect(publishedAt).toBe(iso);
  });
});

describe("pages with little or much around their content", () => {
  const prose = "<p>A paragraph of the article that says what there is to say of it, at some length.</p>".repeat(8);

  it.each([
    ["a banner of cookies", '<div id="onetrust-banner-sdk"><p>We value your privacy.</p></div>'],
    ["a notice of cookies", '<section class="cookie-notice"><p>We use cookies.</p></section>'],
    ["navigation", "<nav><ul><li><a href=/>Home</a></ul></nav>"],
    ["a footer", "<footer>All rights reserved</footer>"],
    ["links to share", '<ul class="share-buttons"><li><a href=/>Share</a></ul>'],
    ["a newsletter", '<div class="newsletter-signup"><p>Get our letter every day.</p></div>'],
    ["comments", '<section id="comments"><p>First!</p></section>'],
    ["related articles", '<div class="related-posts"><a href=/>Another article</a></div>'],
    ["a button", "<button>Click me</button>"],
  ])("%s is left out", async (_name, html) => {
    const { text } = await page(`<html><body><article><h1>Head</h1>${prose}${html}</article></body></html>`);
    expect(text).toMatch(/^# Head\n\nA paragraph/);
    expect(text).toMatch(/at some length\.$/);
  });

  it("a page that is made by its programs says so", async () => {
    const { warnings } = await page(
      '<html><body><div id="root"></div><noscript>Enable it</noscript><script src="/app.js"></script>',
    );
    expect(warnings).toEqual([{ code: "NO_CONTENT", message: expect.stringMatching(/needs JavaScript/) }]);
  });

  it("a short page and a page of links alone are read as they are", async () => {
    expect((await page("<html><body><p>It works!</p>")).text).toBe("It works!");
    const list = Array.from({ length: 12 }, (_, at) => `<li><a href="/${at}">Item ${at}</a></li>`).join("");
    expect((await page(`<html><body><h1>Index</h1><ul>${list}</ul>`)).text).toMatch(/^# Index\n\n- Item 0\n- Item 1\n/);
  });
});
