import { type HtmlElement, isElement } from "./html-tree.ts";

const BLOCKS = new Set(
  `#document address article aside blockquote body center dd details dialog dir div dl dt fieldset figcaption figure footer
  form h1 h2 h3 h4 h5 h6 header hgroup hr html legend li listing main menu nav ol optgroup p pre search section summary
  table tbody td tfoot th thead tr ul xmp caption`.split(/\s+/),
);
const NOT_WRITTEN = new Set(["head", "title", "meta", "link", "script", "base"]);

/** Returns whether an element is displayed as a block, because of its own kind or because of a descendant. */
export function isBlock(element: HtmlElement, context: { readonly isLeftOut: (one: HtmlElement) => boolean }): boolean {
  if (BLOCKS.has(element.name)) return true;
  if (NOT_WRITTEN.has(element.name) && element.name !== "head") return false;
  if (element.name === "math") return false;
  if (context.isLeftOut(element)) return false;
  return element.children.some((child) => isElement(child) && isBlock(child, context));
}

/** Returns whether browsers do not display an element of this kind. */
export function isNotWritten(element: HtmlElement): boolean {
  return NOT_WRITTEN.has(element.name) && element.name !== "head";
}
