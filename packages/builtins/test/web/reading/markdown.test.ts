import MarkdownIt from "markdown-it";
import { describe, expect, it } from "vitest";
import { openReader } from "./reader-world.ts";

const { page } = openReader();
const markdown = new MarkdownIt({ html: false });

/** Without what differs in writing only. */
const plain = (html: string) =>
  html
    .replace(/>\s+</g, "><")
    .replace(/\n(?=<[uo]l)/g, "")
    .replace(/<(code) class="language-(\w+)"/g, "<$1 class=language-$2")
    .replace(/ style="[^"]*"/g, "")
    .replaceAll("&quot;", '"')
    .replace(/<br ?\/?>\n?/g, "<br>")
    .replace(/<hr ?\/?>/g, "<hr>")
    .trim();

describe("what is written says the same to markdown-it, a reader of CommonMark and of GitHub's tables", () => {
  it.each([
    ["headings", "<h1>One</h1><h2>Two</h2><h6>Six</h6>"],
    ["paragraphs", "<p>One.</p><p>Two.</p>"],
    ["emphasis", "<p>a <strong>b</strong> <em>c</em> <s>d</s></p>"],
    ["code in a line", "<p>call <code>f(a, b)</code> and <code>`x`</code></p>"],
    [
      "a listing with its white space",
      "<pre><code class=language-py>def f():\n    return  1\n\n\n# end\n</code></pre>",
    ],
    ["a listing with fences in it", "<pre><code>```\nx\n````\n</code></pre>"],
    ["a list", "<ul><li>a</li><li>b</li></ul>"],
    ["a list in a list", "<ul><li>a<ul><li>b<ul><li>c</li></ul></li></ul></li><li>d</li></ul>"],
    ["a list with numbers", "<ol><li>a</li><li>b</li></ol>"],
    ["a list that starts at 7", '<ol start="7"><li>a</li><li>b</li></ol>'],
    ["a list of paragraphs", "<ul><li><p>a</p><p>b</p></li><li><p>c</p></li></ul>"],
    [
      "a listing in a list",
      "<ol><li><p>do</p><pre><code class=language-sh>ls  -l\n</code></pre></li><li><p>done</p></li></ol>",
    ],
    ["numbers in a list", "<ul><li>a<ol><li>b</li><li>c</li></ol></li></ul>"],
    ["a quote", "<blockquote><p>a</p><p>b</p></blockquote>"],
    ["a quote with a list", "<blockquote><p>a</p><ul><li>b</li></ul></blockquote>"],
    ["a line", "<p>a</p><hr><p>b</p>"],
    [
      "a table",
      "<table><thead><tr><th>a</th><th>b</th></tr></thead><tbody><tr><td>1</td><td>2</td></tr><tr><td>3</td><td>4</td></tr></tbody></table>",
    ],
    [
      "a table with bars and code",
      "<table><thead><tr><th>a</th><th>b</th></tr></thead><tbody><tr><td>x|y</td><td><code>z</code></td></tr></tbody></table>",
    ],
  ])("%s", async (_name, html) => {
    const { text } = await page(`<html><body>${html}</body></html>`);
    expect(plain(markdown.render(text))).toBe(plain(html));
  });
});

describe("what CommonMark has no words for", () => {
  it.each([
    [
      "a cell over two rows stands in both",
      "<table><tr><th>a<th>b<tr><td rowspan=2>1<td>2<tr><td>3</table>",
      "| a | b |\n| --- | --- |\n| 1 | 2 |\n| 1 | 3 |",
    ],
    [
      "a cell over two columns stands in the first",
      "<table><tr><th>a<th>b<tr><td colspan=2>1<tr><td>2<td>3</table>",
      "| a | b |\n| --- | --- |\n| 1 |  |\n| 2 | 3 |",
    ],
    [
      "two rows of headings become one",
      "<table><thead><tr><th rowspan=2>n<th colspan=2>year<tr><th>2024<th>2025<tbody><tr><td>x<td>1<td>2</table>",
      "| n | year / 2024 | year / 2025 |\n| --- | --- | --- |\n| x | 1 | 2 |",
    ],
    [
      "a table without headings keeps its first row",
      "<table><tr><td>a<td>b<tr><td>c<td>d</table>",
      "|  |  |\n| --- | --- |\n| a | b |\n| c | d |",
    ],
    [
      "a caption stands above",
      "<table><caption>Sizes</caption><tr><th>a<th>b<tr><td>1<td>2</table>",
      "Sizes\n\n| a | b |\n| --- | --- |\n| 1 | 2 |",
    ],
    [
      "lines in a cell",
      "<table><tr><th>a<th>b<tr><td>x<br>y<td><p>p<p>q</table>",
      "| a | b |\n| --- | --- |\n| x<br>y | p<br><br>q |",
    ],
    [
      "a table that only arranges",
      "<table role=presentation><tr><td><h2>Head</h2><p>text<td><p>side</table>",
      "## Head\n\ntext\n\nside",
    ],
    ["definitions", "<dl><dt>one<dd>first<dt>two<dt>deux<dd>second</dl>", "one\n: first\n\ntwo\ndeux\n: second"],
    ["details", "<details><summary>More</summary><p>text</details>", "**More**\n\ntext"],
    ["a picture", '<p>see <img alt="a cat" src=c.png> <img src=d.png>', "see ![a cat]"],
    ["powers", "<p>x<sup>2</sup> H<sub>2</sub>O 4<sup>th</sup>", "x^2 H_2O 4th"],
    [
      "a footnote",
      '<p>text<sup><a href="#n1">1</a></sup><ol><li id=n1>note <a href="#r1">↩</a></ol>',
      "text[1]\n\n1. note",
    ],
    ["a formula with its LaTeX", '<p><math alttext="\\frac{a}{b}"><mi>a</mi></math>', "$\\frac{a}{b}$"],
    [
      "a formula with an annotation",
      '<p><math display=block><semantics><mi>a</mi><annotation encoding="application/x-tex">a^2</annotation></semantics></math>',
      "$$a^2$$",
    ],
    ["a reading aid", "<p><ruby>漢字<rp>(</rp><rt>かんじ</rt><rp>)</rp></ruby>", "漢字(かんじ)"],
    ["a quotation", "<p>she said <q>no</q>", "she said “no”"],
    ["a break", "<p>one<br>two", "one\ntwo"],
    [
      "a listing with numbered lines",
      '<table class=highlighttable><tr><td class=linenos><pre>1\n2</pre><td class=code><div class="highlight-python"><pre>a = 1\n  b</pre></div></table>',
      "```python\na = 1\n  b\n```",
    ],
    ["the first line end of a listing does not count", "<pre>\n  a\n</pre>", "```\n  a\n```"],
    ["a mark at a heading", '<h2>Head<a class=headerlink href="#head">¶</a></h2>', "## Head"],
  ])("%s", async (_name, html, text) => {
    expect((await page(`<html><body>${html}`)).text).toBe(text);
  });

  it("links are given beside the text: resolved, once, of the web only", async () => {
    const { text, links } = await page(
      '<base href="https://other.example/a/"><p><a href="b">one</a> <a href="/c#x">two</a> <a href="b">again</a> <a href="javascript:alert(1)">no</a> <a href="mailto:a@b.example">mail</a> <a href="#p">here</a>',
    );
    expect(text).toBe("one two again no mail here");
    expect(links).toEqual([
      { text: "one", url: "https://other.example/a/b" },
      { text: "two", url: "https://other.example/c#x" },
    ]);
  });
});
