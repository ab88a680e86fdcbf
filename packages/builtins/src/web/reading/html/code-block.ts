import { ancestorsOf, attributeOf, elementsOf, type HtmlElement, type HtmlNode, isElement } from "./html-tree.ts";
import type { MarkdownContext } from "./markdown-context.ts";

/** Matches elements next to the lines of a listing, such as line numbers. */
const GUTTER =
  /(?:^|\s)(?:linenos?|lineno|line-?numbers?(?:-rows)?|gutter|ln|rouge-gutter|hljs-ln-numbers|blob-num)(?:\s|$)/i;
const LANGUAGE =
  /(?:^|\s)(?:language|lang|highlight-source|highlight-text|highlight|src|brush)[-:]\s*([a-z][\w+#.-]*)/i;
const NO_LANGUAGE = new Set(
  "default none text plaintext plain notranslate code block wrapper container source highlight fence output pre".split(
    " ",
  ),
);
const WORD_LANGUAGE =
  /(?:^|\s)(?:sourceCode|hljs|prettyprint|highlight|src)\s+(?:lang-)?([a-z][\w+#-]*)(?:\s|$)|(?:^|\s)([a-z][\w+#-]*)\s+hljs(?:\s|$)/i;
const MAX_ANCESTORS = 6;

/** Writes a listing as a fenced block with its exact white space, and with its language if the page states it. */
export function writeCodeBlock(element: HtmlElement, context: MarkdownContext): string[] {
  const code = codeOf(element, context).replace(/^\n/, "").trimEnd();
  if (code.trim() === "") return [];
  const longest = Math.max(2, ...(code.match(/`+/g) ?? []).map((run) => run.length));
  const fence = "`".repeat(Math.min(longest, 1_000) + 1);
  return [`${fence}${languageOf(element) ?? ""}\n${code}\n${fence}`];
}

/** Returns the visible text of a listing, without line numbers. */
function codeOf(element: HtmlElement, context: MarkdownContext): string {
  const parts: string[] = [];
  const visit = (node: HtmlNode) => {
    if (!isElement(node)) {
      parts.push(node);
      return;
    }
    if (context.isLeftOut(node) || GUTTER.test(attributeOf(node, "class"))) return;
    if (node.name === "br") parts.push("\n");
    else {
      const isLine = node.name === "div" || node.name === "tr" || node.name === "p" || node.name === "li";
      if (isLine && !/(?:^|\n)$/.test(parts.at(-1) ?? "")) parts.push("\n");
      for (const child of node.children) visit(child);
      if (isLine && !/\n$/.test(parts.at(-1) ?? "")) parts.push("\n");
    }
  };
  for (const child of element.children) visit(child);
  return parts.join("");
}

function languageOf(element: HtmlElement): string | undefined {
  for (const one of elementsOf(element)) {
    if (one !== element && one.name !== "code") continue;
    const found = languageIn(one);
    if (found !== undefined) return found;
  }
  let left = MAX_ANCESTORS;
  for (const one of ancestorsOf(element)) {
    if (left === 0 || one.name === "body" || one.name === "main" || one.name === "article") break;
    left -= 1;
    const found = languageIn(one);
    if (found !== undefined) return found;
  }
  return undefined;
}

function languageIn(element: HtmlElement): string | undefined {
  const data = attributeOf(element, "data-lang") || attributeOf(element, "data-language");
  const classes = attributeOf(element, "class");
  const word = WORD_LANGUAGE.exec(classes);
  const language = (data || LANGUAGE.exec(classes)?.[1] || word?.[1] || word?.[2] || "").toLowerCase();
  return /^[a-z][\w+#.-]{0,30}$/.test(language) && !NO_LANGUAGE.has(language) ? language : undefined;
}
