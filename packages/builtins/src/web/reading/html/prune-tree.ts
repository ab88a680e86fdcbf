import { ancestorsOf, elementsOf, type HtmlElement, isElement, textOf } from "./html-tree.ts";
import { CONTROLS, isBoilerplate } from "./is-boilerplate.ts";
import { isHidden, isUnheard } from "./is-hidden.ts";
import { linkDensity } from "./link-density.ts";

/** An element with more than this share of the page's text is never boilerplate, whatever its name. */
const MOST = 0.5;
const MENU_LINKS = 8;
const MENU_CHARACTERS = 40;
const MENU_DENSITY = 0.85;
const MENU_SHARE = 0.4;
const LETTERS = /[\p{L}\p{N}]/gu;

/** The elements of a page that are read. */
export interface PrunedTree {
  readonly isLeftOut: (element: HtmlElement) => boolean;
  /** Number of letters and digits that the page hides from its readers. */
  readonly hiddenCharacters: number;
}

/** Finds the elements of a page that are read, without hidden elements and boilerplate. */
export function pruneTree(root: HtmlElement): PrunedTree {
  const leftOut = new Set<HtmlElement>();
  const lengths = measure(root);
  const lengthOf = (element: HtmlElement) => lengths.get(element) ?? 0;
  const all = lengthOf(root);
  let hiddenCharacters = 0;

  const left: HtmlElement[] = [root];
  for (let one = left.pop(); one !== undefined; one = left.pop()) {
    const isMost = lengthOf(one) > all * MOST;
    // Some pages are hidden until their scripts have run.
    if (one.name !== "body" && one.name !== "html" && isHidden(one)) {
      hiddenCharacters += textOf(one).match(LETTERS)?.length ?? 0;
      leftOut.add(one);
    } else if (CONTROLS.has(one.name)) {
      leftOut.add(one);
    } else if (!isMost && (isUnheard(one) || (isBoilerplate(one) && !isInListing(one)))) {
      leftOut.add(one);
    } else {
      for (const child of one.children) if (isElement(child)) left.push(child);
    }
  }
  for (const menu of menusOf(root, lengthOf)) leftOut.add(menu);
  return { isLeftOut: (element) => leftOut.has(element), hiddenCharacters };
}

/** Returns the lists of many short links before the main heading, unless they are the content. */
function menusOf(root: HtmlElement, lengthOf: (element: HtmlElement) => number): readonly HtmlElement[] {
  const all = elementsOf(root);
  const heading = all.find(({ name }) => name === "h1");
  if (heading === undefined) return [];
  const around = new Set(ancestorsOf(heading));
  const menus: HtmlElement[] = [];
  for (const one of all) {
    if (one.index >= heading.index) break;
    if ((one.name !== "ul" && one.name !== "ol" && one.name !== "div") || around.has(one)) continue;
    if (ancestorsOf(one).some((outer) => menus.includes(outer))) continue;
    const links = elementsOf(one).filter(({ name }) => name === "a").length;
    if (links >= MENU_LINKS && lengthOf(one) / links < MENU_CHARACTERS && linkDensity(one) > MENU_DENSITY)
      menus.push(one);
  }
  const total = menus.reduce((sum, menu) => sum + lengthOf(menu), 0);
  return total < lengthOf(root) * MENU_SHARE ? menus : [];
}

/** Returns whether an element is in a listing, where a syntax highlighter chose the class names. */
function isInListing(element: HtmlElement): boolean {
  return ancestorsOf(element).some(({ name }) => name === "pre");
}

/** Measures the length of the text in each element. */
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
