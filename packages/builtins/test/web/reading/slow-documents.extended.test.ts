import { afterAll, expect, it, vi } from "vitest";
import { createDocumentReader } from "../../../src/web/reading/document-reader.ts";

// Each takes well below a second where its length counts once, and minutes where it counts squared.
vi.setConfig({ testTimeout: 20_000 });
const reader = createDocumentReader({ timeoutMs: 8_000, maxRunning: 1 });
afterAll(() => reader.close());

const page = (html: string) => `<!doctype html><body><p>${"words that are read. ".repeat(10)}</p>${html}`;
const many = (text: string) => text.repeat(200_000);

it.each<[string, string, () => string]>([
  ["comments before no page", "text/html", () => `${"<!--x-->".repeat(40)}x`],
  ["comments before a page", "text/plain", () => `<!doctype html>${"<!--x-->".repeat(40)}x`],
  ["instructions before no picture", "application/xml", () => `${"<?x?> ".repeat(600)}x`],
  ["blanks within a listing", "text/html", () => page(`<pre>a${many(" ")}b</pre>`)],
  ["blanks within code", "text/html", () => page(`<h2><pre>a${many(" ")}b</pre></h2><p><code>a${many(" ")}b</code>`)],
  [
    "blanks within a cell",
    "text/html",
    () => page(`<table><tr><th>a<th>b<tr><td><pre>a${many(" ")}b</pre><td>c</table>`),
  ],
  ["ends of lines", "text/html", () => page(`<p>a${"<br>".repeat(100_000)}b`)],
  ["signs of tags", "text/html", () => page(`<p>a${many("<")}<p>${many("<")}b`)],
  ["entities", "text/html", () => page(`<p>a${many("&lt;")}<p>${many("&amp;")}b`)],
  ["joiners", "text/plain", () => `\u0628${many("\u200D")}\u0628`],
  ["empty values", "text/csv", () => ",".repeat(5_000_000)],
  ["styles", "text/html", () => page(`<p style="opacity:${"0".repeat(4_000)}x">a</p>`.repeat(200))],
  ["comments in styles", "text/html", () => page(`<p style="${"/*".repeat(2_000)}">a</p>`.repeat(500))],
  [
    "colours that are compared with all around them",
    "text/html",
    () => page(`${'<i style="color:#123;x:0">'.repeat(190)}${'<b style="color:#123">x</b>'.repeat(20_000)}`),
  ],
])("%s are read in little time, however many they are", async (_name, contentType, make) => {
  const body = new TextEncoder().encode(make());
  const document = await reader.read({ body, contentType, url: "https://site.example/page" });
  expect(document.warnings.map(({ code }) => code)).not.toContain("limit");
});
