import { type HtmlElement, isElement, textOf } from "./html-tree.ts";
import { isBoilerplate } from "./is-boilerplate.ts";
import { isHidden, isUnheard } from "./is-hidden.ts";

/** Most of a page is never its margin, whatever it is called. */
const MOST = 0.5;
const LETTERS = /[\p{L}\p{N}]/gu;

/** Which elements of a page are read. */
export interface PrunedTree {
  readonly isLeftOut: (element: HtmlElement) => boolean;
  /** Letters and digits that the page hides from its readers. */
  readonly hiddenCharacters: number;
}

/** Finds what of a page is hidden, and what stands around its content. */
export function pruneTree(root: HtmlElement): PrunedTree {
  const leftOut = new Set<HtmlElement>();
  const lengths = measure(root);
  const lengthOf = (element: HtmlElement) => lengths.get(element) ?? 0;
  const all = lengthOf(root);
  let hiddenCharacters = 0;

  const left: HtmlElement[] = [root];
  for (let one = left.pop(); one !== undefined; one = left.pop()) {
    const isMost = lengthOf(one) > all * MOST;
    // Pages hide all of themselves until their programs have run.
    if (one.name !== "body" && one.name !== "html" && isHidden(one)) {
      hiddenCharacters += textOf(one).match(LETTERS)?.length ?? 0;
      leftOut.add(one);
    } else if (!isMost && (isUnheard(one) || isBoilerplate(one))) {
      leftOut.add(one);
    } else {
      for (const child of one.children) if (isElement(child)) left.push(child);
    }
  }
  return { isLeftOut: (element) => leftOut.has(element), hiddenCharacters };
}

/** The length of the text in each element. */
function measure(root: HtmlElement): ReadonlyMap<HtmlElement, number> {
  const lengths = new Map<HtmlElement, number>();
  const visit = (element: HtmlElement): number => {
    let length = 0;
    for (const child of element.children) length += isElement(child) ? visit(child) : child.trim().length;
    lengths.set(element, length);
    return length;
  };
  visit(root);
  return lengths;
}
