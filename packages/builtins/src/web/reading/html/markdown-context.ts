import type { HtmlElement } from "./html-tree.ts";

/** What the writers of Markdown share. */
export interface MarkdownContext {
  readonly isLeftOut: (element: HtmlElement) => boolean;
  /** Told of each link of the content, in order. */
  readonly onLink: (text: string, href: string) => void;
  /** Told when a table had more rows or columns than are written. */
  readonly onCut: () => void;
  /** Within a heading, which is bold as it is. */
  readonly isHeading?: boolean;
  /** Within a cell of a table, which is one line. */
  readonly isCell?: boolean;
}
