import type { HtmlElement } from "./html-tree.ts";

/** Shared state of the Markdown writers. */
export interface MarkdownContext {
  readonly isLeftOut: (element: HtmlElement) => boolean;
  /** Called with each link of the content, in order. */
  readonly onLink: (text: string, href: string) => void;
  /** Called when a table has more rows or columns than the limit. */
  readonly onCut: () => void;
  /** Whether the text is in a heading, which is already bold. */
  readonly isHeading?: boolean;
  /** Whether the text is in a table cell, which must be a single line. */
  readonly isCell?: boolean;
}
