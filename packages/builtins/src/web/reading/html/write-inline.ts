import { attributeOf, elementsOf, type HtmlElement, type HtmlNode, isElement, lineOf, textOf } from "./html-tree.ts";
import { isNotWritten } from "./is-block.ts";
import type { MarkdownContext } from "./markdown-context.ts";

/** Matches the text of a link from a heading to itself, or from a footnote back to the text. */
const ANCHOR = /^(?:[\s#¶§†↩↑⤴^]|🔗|\uFE0E|\uFE0F)*$/u;
const REFERENCE = /^\[?\s*(?:[\d*†‡]{1,4}|[a-z])\s*\]?$/i;
/** Represents an intended line break while white space is collapsed. */
const BREAK = "\uFDD0";

/** Renders inline nodes as one line of Markdown. */
export function writeInline(nodes: readonly HtmlNode[], context: MarkdownContext): string {
  const text = nodes.map((node) => inlineOf(node, context)).join("");
  const breaks = context.isCell === true ? "<br>" : "\n";
  return text
    .replace(/[\t\n\f\r \u00A0]+/g, " ")
    .replace(/ ?\uFDD0 ?/g, BREAK)
    .replace(/\uFDD0{2,}/g, BREAK + BREAK)
    .replace(/^[ \uFDD0]{1,3}|[ \uFDD0]{1,3}$/g, "")
    .replaceAll(BREAK, breaks)
    .replaceAll("\uFDD1", " ");
}

function inlineOf(node: HtmlNode, context: MarkdownContext): string {
  if (!isElement(node)) return node;
  if (isNotWritten(node) && !isMathScript(node)) return "";
  if (context.isLeftOut(node)) return "";
  const inner = (within = context) => node.children.map((child) => inlineOf(child, within)).join("");
  switch (node.name) {
    case "br":
      return BREAK;
    case "wbr":
      return "";
    case "b":
    case "strong":
      return context.isHeading === true ? inner() : around(inner({ ...context, isHeading: true }), "**");
    case "i":
    case "em":
    case "var":
    case "cite":
    case "dfn":
      return node.name === "i" && textOf(node).trim() === "" ? "" : around(inner(), "*");
    case "del":
    case "s":
    case "strike":
      return around(inner(), "~~");
    case "q":
      return `“${inner()}”`;
    case "code":
    case "kbd":
    case "samp":
    case "tt":
      return inlineCode(node, context);
    case "pre":
      return inlineCode(node, context);
    case "a":
      return linkOf(node, inner(), context);
    case "img":
      return imageOf(node);
    case "script":
      return mathOf(textOf(node), /mode=display/.test(attributeOf(node, "type")));
    case "math":
      return mathOf(latexOf(node), attributeOf(node, "display") === "block");
    case "sup":
      return raised(node, inner(), "^");
    case "sub":
      return raised(node, inner(), "_");
    case "rp":
      return "";
    case "rt":
      return `(${inner()})`;
    case "td":
    case "th":
      return ` ${inner()} `;
    case "p":
    case "div":
    case "li":
    case "tr":
    case "dt":
    case "dd":
    case "section":
    case "blockquote":
    case "table":
    case "h1":
    case "h2":
    case "h3":
    case "h4":
    case "h5":
    case "h6":
    case "ul":
    case "ol":
    case "caption":
    case "figcaption":
      // A block element where only a single line is possible, such as in a table cell.
      return `${BREAK}${inner()}${BREAK}`;
    default:
      return inner();
  }
}

/** Puts emphasis marks around the words of a text, inside any surrounding spaces. */
function around(text: string, mark: string): string {
  const words = text.trim();
  if (words === "" || words.includes(BREAK)) return text;
  const start = text.length - text.trimStart().length;
  return `${text.slice(0, start)}${mark}${words}${mark}${text.slice(start + words.length)}`;
}

function inlineCode(element: HtmlElement, context: MarkdownContext): string {
  if (elementsOf(element).some(({ name }) => name === "math" || name === "img")) {
    return element.children.map((child) => inlineOf(child, context)).join("");
  }
  const written = textWithBreaks(element, context);
  const lines =
    element.name === "pre" ? written.replace(/^\n/, "").trimEnd().split("\n") : [written.replace(/\s+/g, " ")];
  return lines.map(quotedCode).join(BREAK);
}

function quotedCode(line: string): string {
  const code = line.trim();
  if (code === "") return line === "" ? "" : " ";
  const longest = Math.max(0, ...(code.match(/`+/g) ?? []).map((run) => run.length));
  const quotes = "`".repeat(Math.min(longest, 1_000) + 1);
  const gap = code.startsWith("`") || code.endsWith("`") ? " " : "";
  const before = /^\s/.test(line) ? " " : "";
  const after = /\s$/.test(line) ? " " : "";
  // Spaces within code are significant.
  return `${before}${quotes}${gap}${code.replaceAll(" ", "\uFDD1")}${gap}${quotes}${after}`;
}

function textWithBreaks(element: HtmlElement, context: MarkdownContext): string {
  return element.children
    .map((child) => {
      if (!isElement(child)) return child;
      if (context.isLeftOut(child)) return "";
      return child.name === "br" ? "\n" : textWithBreaks(child, context);
    })
    .join("");
}

function linkOf(element: HtmlElement, inner: string, context: MarkdownContext): string {
  const href = attributeOf(element, "href").trim();
  const text = lineOf(element);
  if (href.startsWith("#") && ANCHOR.test(text)) return "";
  const label = text === "" ? inner.replace(/\s+/g, " ").trim() : text;
  if (href !== "" && label !== "") context.onLink(label, href);
  return inner;
}

function imageOf(element: HtmlElement): string {
  const alt = attributeOf(element, "alt").replace(/\s+/g, " ").trim();
  // Tracking pixels are invisible, so they are omitted.
  const isUnseen = ["width", "height"].every((side) => /^\s*[01](?:px)?\s*$/.test(attributeOf(element, side)));
  if (alt === "" || isUnseen) return "";
  const classes = attributeOf(element, "class");
  if (/(?:^|[\s-])(?:math|latex|tex|mwe-math-fallback-image\S*)(?:\s|$)/i.test(classes)) {
    const hasMath = element.parent?.children.some(
      (other) => isElement(other) && other !== element && elementsOf(other).some(({ name }) => name === "math"),
    );
    return hasMath === true ? "" : mathOf(alt, false);
  }
  return `![${alt}]`;
}

function isMathScript(element: HtmlElement): boolean {
  return element.name === "script" && /^\s*math\/tex/i.test(attributeOf(element, "type"));
}

function latexOf(math: HtmlElement): string {
  const alternative = attributeOf(math, "alttext");
  if (alternative !== "") return alternative;
  for (const one of elementsOf(math)) {
    if (one.name === "annotation" && /tex/i.test(attributeOf(one, "encoding"))) return textOf(one);
  }
  return textOf(math);
}

function mathOf(latex: string, isDisplayed: boolean): string {
  const formula = latex.replace(/\s+/g, " ").trim();
  if (formula === "") return "";
  return isDisplayed ? ` $$${formula}$$ ` : `$${formula}$`;
}

function raised(element: HtmlElement, inner: string, mark: string): string {
  const text = lineOf(element);
  if (text === "") return inner;
  const isLink = elementsOf(element).some(({ name }) => name === "a");
  if (isLink && REFERENCE.test(text)) return `[${text.replace(/[[\]\s]/g, "")}]`;
  return /^[\p{L}\p{N}+\-−]{1,8}$/u.test(text) && !/^(?:st|nd|rd|th|er|re|e|o|a|tm|®|™)$/i.test(text)
    ? `${mark}${inner}`
    : inner;
}
