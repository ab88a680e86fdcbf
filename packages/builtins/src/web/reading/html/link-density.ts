import { elementsOf, type HtmlElement, type HtmlNode, isElement, lineOf } from "./html-tree.ts";

/** Maximum length of a line of links. */
const MAX_LINE_CHARACTERS = 400;
const MAX_OTHER_CHARACTERS = 25;
const BETWEEN = /[\s|·•⋅∙/»«›‹>→←[\](){}:,–—-]+/g;
const SEPARATOR = /[|·•⋅∙»›→]|\]\s*\[/g;

/** Returns the share of an element's text that is in links, from 0 to 1. */
export function linkDensity(element: HtmlElement): number {
  const all = lineOf(element).length;
  if (all === 0) return 0;
  let linked = 0;
  const visit = (node: HtmlNode): void => {
    if (!isElement(node)) return;
    if (node.name === "a" && node.attributes.has("href")) linked += lineOf(node).length;
    else for (const child of node.children) visit(child);
  };
  visit(element);
  return Math.min(1, linked / all);
}

/**
 * Returns whether an element is a single line of links with separators, such as languages, versions, or the previous
 * and next chapter.
 */
export function isLineOfLinks(element: HtmlElement): boolean {
  if (element.name !== "p" && element.name !== "div" && element.name !== "table" && element.name !== "center")
    return false;
  const line = lineOf(element);
  if (line === "" || line.length > MAX_LINE_CHARACTERS) return false;
  const links = elementsOf(element).filter(({ name, attributes }) => name === "a" && attributes.has("href"));
  if (links.length < 2) return false;
  let other = line;
  for (const link of links) other = other.replace(lineOf(link), " ");
  const separators = line.match(SEPARATOR)?.length ?? 0;
  if (other.replace(/\b(?:next|previous|prev|up|home|top|contents|index)\b/gi, "").replace(BETWEEN, "") === "") {
    return separators > 0 || /\b(?:next|previous|prev|up)\b/i.test(other);
  }
  return separators >= links.length - 1 && other.replace(BETWEEN, "").length <= MAX_OTHER_CHARACTERS;
}
