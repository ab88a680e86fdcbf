import { joinLines } from "../join-lines.ts";
import { writeCodeBlock } from "./code-block.ts";
import { attributeOf, type HtmlElement, type HtmlNode, isElement } from "./html-tree.ts";
import { isBlock } from "./is-block.ts";
import type { MarkdownContext } from "./markdown-context.ts";
import { writeInline } from "./write-inline.ts";
import { writeTable } from "./write-table.ts";

/** Maximum indentation. Lists and quotes at deeper levels are indented no further. */
const MAX_INDENTS = 12;

/** Converts the content of an element to Markdown. */
export function writeMarkdown(element: HtmlElement, context: MarkdownContext): string {
  return blocksOf([element], context, 0).join("\n\n");
}

function blocksOf(nodes: readonly HtmlNode[], context: MarkdownContext, indents: number): string[] {
  const blocks: string[] = [];
  let line: HtmlNode[] = [];
  const endLine = () => {
    const text = writeInline(line, context);
    if (text !== "") blocks.push(text);
    line = [];
  };
  for (const node of nodes) {
    if (isElement(node) && isBlock(node, context)) {
      endLine();
      blocks.push(...blockOf(node, context, indents));
    } else line.push(node);
  }
  endLine();
  return blocks;
}

function blockOf(element: HtmlElement, context: MarkdownContext, indents: number): string[] {
  if (context.isLeftOut(element)) return [];
  const inner = () => blocksOf(element.children, context, indents);
  switch (element.name) {
    case "h1":
    case "h2":
    case "h3":
    case "h4":
    case "h5":
    case "h6": {
      const text = joinLines(writeInline(element.children, { ...context, isHeading: true }), " ");
      return text === "" ? [] : [`${"#".repeat(Number(element.name[1]))} ${text}`];
    }
    case "pre":
    case "listing":
    case "xmp":
      return writeCodeBlock(element, context);
    case "ul":
    case "ol":
    case "dir":
      return listOf(element, context, indents);
    case "dl":
      return definitionsOf(element, context, indents);
    case "table":
      return writeTable(element, context, (cell) => blocksOf(cell.children, context, indents));
    case "blockquote": {
      const quoted = inner().join("\n\n");
      if (indents >= MAX_INDENTS || quoted === "") return quoted === "" ? [] : [quoted];
      return [quoted.replace(/^(?=.)/gm, "> ").replace(/^$/gm, ">")];
    }
    case "hr":
      return ["---"];
    case "summary": {
      const text = writeInline(element.children, context);
      return text === "" ? [] : [`**${text.replaceAll("**", "")}**`];
    }
    case "li":
      // An item that is not in a list.
      return [listOf({ ...element, name: "ul", attributes: new Map(), children: [element] }, context, indents)].flat();
    default:
      return isListing(element) ? writeCodeBlock(element, context) : inner();
  }
}

/** Returns whether an element is a listing. Doxygen writes listings with one element per line. */
function isListing({ name, attributes, children }: HtmlElement): boolean {
  if (name !== "div" || !/(?:^|\s)fragment(?:\s|$)/.test(attributes.get("class") ?? "")) return false;
  return children.some((child) => isElement(child) && child.attributes.get("class") === "line");
}

function listOf(list: HtmlElement, context: MarkdownContext, indents: number): string[] {
  let number = Number.parseInt(attributeOf(list, "start") || "1", 10);
  if (!Number.isSafeInteger(number)) number = 1;
  const items: string[] = [];
  let isLoose = false;
  for (const child of list.children) {
    if (!isElement(child)) {
      if (child.trim() !== "") items.push(child.replace(/\s+/g, " ").trim());
      continue;
    }
    if (context.isLeftOut(child)) continue;
    if (child.name !== "li") {
      // A list directly inside a list, not inside one of its items.
      const stray = blocksOf([child], context, indents + 1).join("\n\n");
      if (stray !== "") items.push(indented(stray, indents >= MAX_INDENTS ? "" : "  ", true));
      continue;
    }
    const value = Number.parseInt(attributeOf(child, "value"), 10);
    if (Number.isSafeInteger(value)) number = value;
    const mark = list.name === "ol" ? `${number}. ` : "- ";
    number += 1;
    const blocks = blocksOf(child.children, context, indents + 1);
    if (blocks.length === 0) continue;
    isLoose ||= blocks.filter((block) => !/^\s*(?:[-*]|\d+\.) /.test(block)).length > 1;
    const body = joined(blocks);
    items.push(mark + (indents >= MAX_INDENTS ? body : indented(body, " ".repeat(mark.length), false)));
  }
  return items.length === 0 ? [] : [items.join(isLoose ? "\n\n" : "\n")];
}

/** Joins blocks with blank lines, except that a list directly follows its paragraph. */
function joined(blocks: readonly string[]): string {
  let text = "";
  for (const block of blocks) {
    const isList = /^(?:- |\d+\. )/.test(block);
    text += text === "" ? block : `${isList ? "\n" : "\n\n"}${block}`;
  }
  return text;
}

function definitionsOf(list: HtmlElement, context: MarkdownContext, indents: number): string[] {
  const blocks: string[] = [];
  let terms: string[] = [];
  const visit = (nodes: readonly HtmlNode[]) => {
    for (const child of nodes) {
      if (!isElement(child) || context.isLeftOut(child)) continue;
      if (child.name === "div") visit(child.children);
      else if (child.name === "dt") {
        const written = blocksOf(child.children, context, indents + 1).join("\n");
        if (written !== "") terms.push(written);
      } else {
        const body = blocksOf(child.children, context, indents + 1).join("\n\n");
        const definition = body === "" ? "" : `: ${indents >= MAX_INDENTS ? body : indented(body, "  ", false)}`;
        const text = [...terms, definition].filter((part) => part !== "").join("\n");
        if (text !== "") blocks.push(text);
        terms = [];
      }
    }
  };
  visit(list.children);
  if (terms.length > 0) blocks.push(terms.join("\n"));
  return blocks;
}

function indented(text: string, indent: string, isFirstToo: boolean): string {
  const lines = text.replace(/^(?=.)/gm, indent);
  return isFirstToo ? lines : lines.slice(indent.length);
}
