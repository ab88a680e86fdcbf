/** An element of a page. The depth and size of the tree are limited. */
export interface HtmlElement {
  /** The tag name in lower case. */
  readonly name: string;
  /** The attributes that the reader uses, by lower-case name. */
  readonly attributes: Map<string, string>;
  readonly children: HtmlNode[];
  readonly parent: HtmlElement | undefined;
  /** The index of the element in document order. */
  readonly index: number;
  /** The depth of the element in the tree. */
  readonly depth: number;
}

export type HtmlNode = HtmlElement | string;

export function isElement(node: HtmlNode): node is HtmlElement {
  return typeof node !== "string";
}

export function attributeOf(element: HtmlElement, name: string): string {
  return element.attributes.get(name) ?? "";
}

/** Returns the element and its descendants, in document order. */
export function elementsOf(element: HtmlElement): readonly HtmlElement[] {
  const found: HtmlElement[] = [];
  const left: HtmlElement[] = [element];
  for (let one = left.pop(); one !== undefined; one = left.pop()) {
    found.push(one);
    for (let at = one.children.length - 1; at >= 0; at -= 1) {
      const child = one.children[at];
      if (child !== undefined && isElement(child)) left.push(child);
    }
  }
  return found;
}

/** Returns the ancestors of an element, nearest first. */
export function ancestorsOf(element: HtmlElement): readonly HtmlElement[] {
  const found: HtmlElement[] = [];
  for (let one = element.parent; one !== undefined; one = one.parent) found.push(one);
  return found;
}

/** Returns the raw text of a node, without layout. */
export function textOf(node: HtmlNode): string {
  const parts: string[] = [];
  gather(node, parts);
  return parts.join("");
}

/** Returns the text of a node on one line. */
export function lineOf(node: HtmlNode): string {
  return textOf(node).replace(/\s+/g, " ").trim();
}

function gather(node: HtmlNode, into: string[]): void {
  if (!isElement(node)) into.push(node);
  else for (const child of node.children) gather(child, into);
}
