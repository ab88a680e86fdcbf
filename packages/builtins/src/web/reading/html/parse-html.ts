import { Parser } from "htmlparser2";
import { DocumentError } from "../../port.ts";
import { dropDeepTags } from "./drop-deep-tags.ts";
import { ancestorsOf, type HtmlElement } from "./html-tree.ts";

/**
 * Maximum depth. Deeper elements are attached to their ancestor at this depth, so recursive walks cannot exhaust the
 * stack.
 */
const MAX_DEPTH = 200;
const MAX_ELEMENTS = 300_000;
const MAX_ATTRIBUTE_CHARACTERS = 4_096;
const MAX_NAME_CHARACTERS = 60;

/** Elements that are not visible. A script is read only if it contains data. */
const UNREAD = new Set([
  "style",
  "template",
  "noscript",
  "iframe",
  "frame",
  "object",
  "embed",
  "applet",
  "svg",
  "canvas",
  "audio",
  "video",
  "noembed",
  "noframes",
]);
const DATA_SCRIPT = /^\s*(?:application\/ld\+json|math\/tex)/i;

const SECTIONS = new Set(["thead", "tbody", "tfoot"]);
const KEPT_ATTRIBUTES = new Set(
  `alt alttext align bgcolor charset checked cite class colspan color content data-lang data-language datetime dir display
  encoding headers height hidden href hreflang http-equiv id itemprop itemtype lang name open popover property rel role rowspan
  scope src start style summary title type value width aria-hidden aria-label aria-level xml:lang`.split(/\s+/),
);

/** The tree of a page, and information about it. */
export interface ParsedHtml {
  readonly root: HtmlElement;
  /** Whether some elements exceeded the maximum depth. */
  readonly isTooDeep: boolean;
  /** Whether the page contains scripts. */
  readonly hasScripts: boolean;
}

/** Parses a page. @throws DocumentError `limit` for too many elements. */
export function parseHtml(written: string): ParsedHtml {
  const bounded = dropDeepTags(written);
  const root = elementOf("#document", undefined, 0);
  // One entry for each open tag. For an element that is skipped or too deep, the entry is its parent's.
  const open: HtmlElement[] = [root];
  let current = root;
  let unread = 0;
  let elements = 0;
  let isTooDeep = bounded.isTooDeep;
  let hasScripts = false;

  const parser = new Parser(
    {
      onopentagname(name) {
        open.push(current);
        if (unread > 0 || UNREAD.has(name)) {
          unread += 1;
          return;
        }
        elements += 1;
        if (elements > MAX_ELEMENTS) throw new DocumentError("limit", `it has more than ${MAX_ELEMENTS} elements`);
        if (current.depth >= MAX_DEPTH) {
          isTooDeep = true;
          return;
        }
        // The end tag is optional, and the parser does not supply it.
        const parent = SECTIONS.has(name) ? (tableAround(current) ?? current) : current;
        const element = elementOf(name.length > MAX_NAME_CHARACTERS ? "span" : name, parent, elements);
        parent.children.push(element);
        current = element;
      },
      onattribute(name, value) {
        if (unread > 0 || !KEPT_ATTRIBUTES.has(name) || current.attributes.has(name)) return;
        // The text of an element that is too deep is added to its parent.
        if (open.at(-1) === current) return;
        current.attributes.set(name, value.slice(0, MAX_ATTRIBUTE_CHARACTERS));
      },
      ontext(text) {
        if (unread > 0) return;
        if (current.name === "script" && !DATA_SCRIPT.test(current.attributes.get("type") ?? "")) {
          hasScripts = true;
          return;
        }
        const last = current.children.length - 1;
        const before = current.children[last];
        // The parser reports each entity as a separate chunk of text.
        if (typeof before === "string" && before.length < 65_536) current.children[last] = before + text;
        else current.children.push(text);
      },
      onclosetag() {
        if (unread > 0) unread -= 1;
        if (current.name === "script" && current.attributes.has("src")) hasScripts = true;
        current = open.pop() ?? root;
      },
    },
    { decodeEntities: true },
  );
  parser.write(bounded.html);
  parser.end();
  return { root, isTooDeep, hasScripts };
}

function tableAround(element: HtmlElement): HtmlElement | undefined {
  return element.name === "table" ? element : ancestorsOf(element).find(({ name }) => name === "table");
}

function elementOf(name: string, parent: HtmlElement | undefined, index: number): HtmlElement {
  return {
    name,
    attributes: new Map(),
    children: [],
    parent,
    index,
    depth: parent === undefined ? 0 : parent.depth + 1,
  };
}
