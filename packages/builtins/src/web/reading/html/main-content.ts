import { findReadable } from "./find-readable.ts";
import { ancestorsOf, attributeOf, elementsOf, type HtmlElement, type HtmlNode, isElement } from "./html-tree.ts";
import { linkDensity } from "./link-density.ts";

const CONTENT_NAMES = new Set([
  "main-content",
  "maincontent",
  "markdown-body",
  "mw-parser-output",
  "mw-content-text",
  "entry-content",
  "post-content",
  "article-content",
  "article-body",
  "articlebody",
  "post-body",
  "documentwrapper",
  "bodywrapper",
  "theme-doc-markdown",
  "vp-doc",
  "md-content",
  "rst-content",
]);
/** Minimum share of the surrounding text that a part must contain to be selected instead. */
const MOST = 0.6;
const SOME = 0.3;
const MANY_LINKS = 0.35;
const MIN_CHARACTERS = 140;

type IsLeftOut = (element: HtmlElement) => boolean;

/**
 * Finds the main content of a page: the part that the page marks as its main content; otherwise the part that
 * Readability finds, widened to the smallest element around it; otherwise everything except boilerplate.
 */
export function findMainContent(root: HtmlElement, isLeftOut: IsLeftOut): HtmlElement {
  const lengthOf = measure(root, isLeftOut);
  const all = lengthOf(root);
  const said = saidContent(root, isLeftOut, lengthOf);
  if (said !== undefined && lengthOf(said) >= Math.max(MIN_CHARACTERS, all * SOME)) return said;
  const readable = findReadable(root, isLeftOut);
  return readable !== undefined && lengthOf(readable) >= all * SOME ? widened(readable, lengthOf, isLeftOut) : root;
}

/** Widens an element until it includes its heading and introduction, unless that would add a list of links. */
function widened(from: HtmlElement, lengthOf: (one: HtmlElement) => number, isLeftOut: IsLeftOut): HtmlElement {
  let widest = from;
  for (const outer of ancestorsOf(from)) {
    if (outer.name === "body" || outer.name === "html" || outer.parent === undefined) break;
    const more = lengthOf(outer) - lengthOf(widest);
    const inner = widest;
    const links = outer.children
      .filter((child) => isElement(child) && child !== inner && !isLeftOut(child))
      .reduce((sum, child) => sum + (isElement(child) ? linkDensity(child) * lengthOf(child) : 0), 0);
    if (more > lengthOf(widest) || links > more * MANY_LINKS) break;
    widest = outer;
  }
  return widest;
}

function saidContent(
  root: HtmlElement,
  isLeftOut: IsLeftOut,
  lengthOf: (one: HtmlElement) => number,
): HtmlElement | undefined {
  const seen = (one: HtmlElement) => !isLeftOut(one) && !ancestorsOf(one).some(isLeftOut);
  const found = elementsOf(root).filter(isSaidMain).filter(seen);
  let content: HtmlElement | undefined;
  for (const one of found) if (content === undefined || lengthOf(one) > lengthOf(content)) content = one;
  const outer = content ?? root;
  // If one article makes up most of the page, its neighbours are excluded.
  const inner = elementsOf(outer).filter(
    (one) => one !== outer && (one.name === "article" || isNamedContent(one)) && seen(one),
  );
  const largest = inner.reduce<HtmlElement | undefined>(
    (best, one) => (best === undefined || lengthOf(one) > lengthOf(best) ? one : best),
    undefined,
  );
  if (largest !== undefined && lengthOf(largest) >= lengthOf(outer) * MOST) return largest;
  return content;
}

function isSaidMain(element: HtmlElement): boolean {
  return element.name === "main" || attributeOf(element, "role").toLowerCase() === "main";
}

function isNamedContent(element: HtmlElement): boolean {
  const words = `${attributeOf(element, "class")} ${attributeOf(element, "id")} ${attributeOf(element, "itemprop")}`;
  return words.split(/\s+/, 30).some((word) => CONTENT_NAMES.has(word.toLowerCase()));
}

/** Measures the length of the readable text in each element. */
function measure(root: HtmlElement, isLeftOut: IsLeftOut): (element: HtmlElement) => number {
  const lengths = new Map<HtmlElement, number>();
  const visit = (node: HtmlNode): number => {
    if (!isElement(node)) return node.trim().length;
    if (isLeftOut(node) || node.name === "script" || node.name === "title") return 0;
    let length = 0;
    for (const child of node.children) length += visit(child);
    lengths.set(node, length);
    return length;
  };
  visit(root);
  return (element) => lengths.get(element) ?? 0;
}
