import { beginningOf } from "@yagate/lib/text/cut-text";
import type { ContentWarning, ReadDocument } from "../../port.ts";
import { cleanText, invisibleWarnings } from "../clean-text.ts";
import { attributeOf, elementsOf, type HtmlElement } from "./html-tree.ts";
import { findMainContent } from "./main-content.ts";
import { parseHtml } from "./parse-html.ts";
import { pruneTree } from "./prune-tree.ts";
import { readMetadata, toLine, webUrl } from "./read-metadata.ts";
import { writeMarkdown } from "./write-markdown.ts";

const MAX_LINKS = 200;
const MAX_LINK_CHARACTERS = 200;
/**
 * Minimum length of the text of a page with scripts. A page with less text probably needs JavaScript to show its
 * content.
 */
const SHELL_CHARACTERS = 60;

/** Reads a page: its main content as Markdown, and its metadata. */
export function readHtml(html: string, url: string): ReadDocument {
  const { root, isTooDeep, hasScripts } = parseHtml(html);
  const base = baseOf(root, url);
  const { isLeftOut, hiddenCharacters } = pruneTree(root);
  const links = new Map<string, string>();
  let isCut = false;
  const context = {
    isLeftOut,
    onLink: (text: string, href: string) => {
      if (links.size >= MAX_LINKS || href.startsWith("#")) return;
      const target = webUrl(href, base);
      if (target !== undefined && !links.has(target))
        links.set(target, beginningOf(text, MAX_LINK_CHARACTERS).toWellFormed());
    },
    onCut: () => {
      isCut = true;
    },
  };
  const written = writeMarkdown(findMainContent(root, isLeftOut), context);
  const { text, invisible } = cleanText(written);

  const warnings: ContentWarning[] = [];
  if (text.replace(/[^\p{L}\p{N}]/gu, "").length < SHELL_CHARACTERS && hasScripts) {
    warnings.push({
      code: "NO_CONTENT",
      message: "there is hardly any text: the page needs JavaScript to show its content",
    });
  } else if (text === "") warnings.push({ code: "NO_CONTENT", message: "the page has no text" });
  if (hiddenCharacters > 0) {
    const message = `${hiddenCharacters} letters that the page hides from its readers were omitted`;
    warnings.push({ code: "HIDDEN_TEXT", message });
  }
  warnings.push(...invisibleWarnings(invisible));
  if (isTooDeep)
    warnings.push({
      code: "TOO_DEEP",
      message: "elements are nested too deeply: part of the structure is lost",
    });
  if (isCut)
    warnings.push({
      code: "TABLE_CUT",
      message: "a table has more rows or columns than the limit: the rest was omitted",
    });
  return {
    format: "html",
    text,
    ...readMetadata(root, base),
    links: Array.from(links, ([target, label]) => ({ text: toLine(label) ?? "", url: target })),
    warnings,
  };
}

function baseOf(root: HtmlElement, url: string): string {
  const base = elementsOf(root).find(({ name }) => name === "base");
  return (base === undefined ? undefined : webUrl(attributeOf(base, "href"), url)) ?? url;
}
