import { Readability } from "@mozilla/readability";
import { parseHTML } from "linkedom";
import { ancestorsOf, elementsOf, type HtmlElement, type HtmlNode, isElement } from "./html-tree.ts";

/**
 * Maximum number of elements for which Readability runs. It traverses the page several times, so it is too slow for
 * larger pages.
 */
const MAX_ELEMENTS = 20_000;
const MAX_CHARACTERS = 2_000_000;
/** Minimum share of Readability's text that the returned element contains. */
const MOST = 0.9;
const CONTAINERS = new Set(["article", "body", "center", "div", "form", "main", "section", "td"]);
const MARK = "data-place";
const VOID = new Set("area base br col embed hr img input link meta param source track wbr".split(" "));

/** Returns the smallest element that contains nearly all of Readability's text. */
export function findReadable(root: HtmlElement, isLeftOut: (element: HtmlElement) => boolean): HtmlElement | undefined {
  const places = new Map<string, HtmlElement>();
  const html = serialize(root, isLeftOut, places);
  if (html === undefined) return undefined;
  const kept = keptPlaces(html);
  if (kept === undefined) return undefined;

  const weights = new Map<HtmlElement, number>();
  let all = 0;
  for (const [place, weight] of kept) {
    const element = places.get(place);
    if (element === undefined) continue;
    all += weight;
    for (const one of [element, ...ancestorsOf(element)]) weights.set(one, (weights.get(one) ?? 0) + weight);
  }
  let smallest: HtmlElement | undefined;
  // Descendants come later in document order.
  for (const one of elementsOf(root)) {
    if (CONTAINERS.has(one.name) && (weights.get(one) ?? 0) >= all * MOST && all > 0) smallest = one;
  }
  return smallest;
}

/** Returns the position and length of each text that Readability keeps. */
function keptPlaces(html: string): ReadonlyMap<string, number> | undefined {
  const { document } = parseHTML(html);
  const parsed = readableOf(document);
  const content: unknown = parsed?.content;
  if (typeof content !== "string" || content === "") return undefined;
  const kept = new Map<string, number>();
  for (const element of parseHTML(`<html><body>${content}</body></html>`).document.querySelectorAll(`[${MARK}]`)) {
    const place = element.getAttribute(MARK);
    let length = 0;
    for (const child of element.childNodes) if (child.nodeType === 3) length += (child.textContent ?? "").trim().length;
    if (place !== null && length > 0) kept.set(place, (kept.get(place) ?? 0) + length);
  }
  return kept;
}

function readableOf(document: ConstructorParameters<typeof Readability>[0]): { readonly content?: unknown } | null {
  try {
    return new Readability(document, { disableJSONLD: true }).parse();
  } catch (error) {
    // Pages that Readability can't handle are processed without it.
    if (error instanceof TypeError || error instanceof RangeError) return null;
    throw error;
  }
}

/** Serialises the page with positions as attributes. Returns `undefined` if the page is too large. */
function serialize(
  root: HtmlElement,
  isLeftOut: (element: HtmlElement) => boolean,
  places: Map<string, HtmlElement>,
): string | undefined {
  const parts: string[] = [];
  let characters = 0;
  const visit = (node: HtmlNode): void => {
    if (places.size > MAX_ELEMENTS) return;
    if (!isElement(node)) {
      characters += node.length;
      // Runs of white space are dropped, because they cost time at each level. Other text is replaced by as many
      // characters with the same commas: Readability ignores the letters, and each entity would become a separate node.
      parts.push(node.replace(/\s+/g, " ").replace(/[<>&]/g, "-"));
      return;
    }
    if (isLeftOut(node) || /^(?:script|#document|html|head|body|title|meta|link|base)$/.test(node.name)) {
      if (!isLeftOut(node) && /^(?:#document|html|body)$/.test(node.name))
        for (const child of node.children) visit(child);
      return;
    }
    // Invalid element names are dropped before the page is parsed again.
    const name = /^[a-z][a-z0-9-]*$/.test(node.name) ? node.name : "span";
    const place = String(node.index);
    places.set(place, node);
    parts.push(`<${name} ${MARK}="${place}"`);
    for (const attribute of ["class", "id", "role", "itemprop", "href", "src", "alt"]) {
      const value = node.attributes.get(attribute);
      if (value !== undefined)
        parts.push(` ${attribute}="${escapeText(value.slice(0, 500)).replaceAll('"', "&quot;")}"`);
    }
    parts.push(">");
    if (VOID.has(name)) return;
    for (const child of node.children) visit(child);
    parts.push(`</${name}>`);
  };
  visit(root);
  if (places.size > MAX_ELEMENTS || characters > MAX_CHARACTERS) return undefined;
  return `<!doctype html><html><head><title>page</title></head><body>${parts.join("")}</body></html>`;
}

function escapeText(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
