const FRAME = /^<tool_response[^>]*>\n([\s\S]*)\n<\/tool_response[^>]*>$/;
const MAX_SOURCES = 3;
const MAX_QUOTE_LENGTH = 400;

interface Source {
  readonly id: number;
  readonly title: string;
  readonly url: string;
  readonly quote: string;
}

/** What a search found, word for word, each quotation with the id of its source; `undefined` for any other result. */
export function quoteEvidence(name: string, text: string): string | undefined {
  const value = parse(FRAME.exec(text)?.[1] ?? text);
  if (!isObject(value) || value["source_untrusted"] !== true || !Array.isArray(value["results"])) return undefined;
  const sources = value["results"].flatMap(readSource).slice(0, MAX_SOURCES);
  if (sources.length === 0) return `${name} found nothing.`;
  const quotes = sources.map(({ id, quote }) => `“${quote}” [${id}]`);
  const list = sources.map(({ id, title, url }) => `[${id}] ${title}, ${url}`);
  return [`${name} found, word for word:`, ...quotes, "", "Sources:", ...list].join("\n");
}

function readSource(result: unknown): readonly Source[] {
  if (!isObject(result)) return [];
  const { id, title, url, claims, snippet } = result;
  const [first] = Array.isArray(claims) ? claims.filter(isObject) : [];
  const quote = first?.["text"] ?? snippet;
  if (typeof id !== "number" || typeof quote !== "string" || typeof url !== "string") return [];
  return [{ id, title: typeof title === "string" ? title : url, url, quote: beginningOf(quote.trim()) }];
}

/** Up to the end of a word. */
function beginningOf(text: string): string {
  return text.length <= MAX_QUOTE_LENGTH ? text : text.slice(0, MAX_QUOTE_LENGTH).replace(/\s+\S*$/, "");
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
