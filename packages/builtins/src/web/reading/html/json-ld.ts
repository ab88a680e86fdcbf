import { isJsonObject, isObject } from "@yagate/lib/json/json-object";
import { parseJsonOrUndefined } from "@yagate/lib/json/parse-json";
import { attributeOf, elementsOf, type HtmlElement, textOf } from "./html-tree.ts";

/**
 * Maximum length of a JSON-LD block that is parsed. Longer blocks are ignored, because blocks that describe a page are
 * short.
 */
const MAX_CHARACTERS = 131_072;
const MAX_SCRIPTS = 10;
const MAX_OBJECTS = 500;
const MAX_DEPTH = 6;
const TYPES =
  /(?:article|posting|report|webpage|webcontent|creativework|product|recipe|video|dataset|book|course|event|howto|faqpage|qapage|thesis|review)$/i;

/** Metadata of a page from JSON-LD, as text. */
export interface JsonLdFacts {
  readonly headline?: string;
  readonly author?: string;
  readonly published?: string;
  readonly modified?: string;
  readonly publisher?: string;
  readonly language?: string;
  readonly description?: string;
}

/** Reads the text values of the first JSON-LD object that describes readable content. */
export function readJsonLd(root: HtmlElement): JsonLdFacts {
  const scripts = elementsOf(root).filter(
    (one) => one.name === "script" && /^\s*application\/ld\+json/i.test(attributeOf(one, "type")),
  );
  const objects: ReadonlyMap<string, unknown>[] = [];
  for (const script of scripts.slice(0, MAX_SCRIPTS)) {
    const text = textOf(script);
    if (text.length <= MAX_CHARACTERS) gather(parsed(text), objects, 0);
  }
  const rank = (type: string) => (/(?:article|posting|report)$/i.test(type) ? 0 : TYPES.test(type) ? 1 : 2);
  const typed = objects.map((object) => ({ object, rank: rank(textIn(object, "@type") ?? "") }));
  const best = typed.filter((one) => one.rank < 2).toSorted((a, b) => a.rank - b.rank)[0]?.object;
  if (best === undefined) return {};
  return present({
    headline: textIn(best, "headline") ?? textIn(best, "name"),
    author: namesOf(best.get("author") ?? best.get("creator")),
    published: textIn(best, "datePublished") ?? textIn(best, "dateCreated"),
    modified: textIn(best, "dateModified"),
    publisher: namesOf(best.get("publisher")),
    language: textIn(best, "inLanguage"),
    description: textIn(best, "description"),
  });
}

function parsed(text: string): unknown {
  return parseJsonOrUndefined(
    text.replace(/^\s*(?:<!--|\/\*\s*<!\[CDATA\[\s*\*\/|<!\[CDATA\[)|(?:-->|\/\*\s*\]\]>\s*\*\/|\]\]>)\s*$/g, ""),
  );
}

/** Collects all objects within a value as maps, so that untrusted keys are never looked up on an object. */
function gather(value: unknown, into: ReadonlyMap<string, unknown>[], depth: number): void {
  if (!isObject(value) || depth > MAX_DEPTH || into.length >= MAX_OBJECTS) return;
  if (Array.isArray(value)) {
    for (const one of value.slice(0, MAX_OBJECTS)) gather(one, into, depth + 1);
    return;
  }
  const map = new Map<string, unknown>(Object.entries(value));
  into.push(map);
  for (const one of map.values()) gather(one, into, depth + 1);
}

function textIn(object: ReadonlyMap<string, unknown>, key: string): string | undefined {
  const value = object.get(key);
  const one = Array.isArray(value) ? value[0] : value;
  if (typeof one === "string") return one;
  return mapOf(one)?.get("@value") === undefined ? undefined : String(mapOf(one)?.get("@value"));
}

function namesOf(value: unknown): string | undefined {
  const list = Array.isArray(value) ? value.slice(0, 10) : [value];
  const names = list.flatMap((one) => {
    if (typeof one === "string") return [one];
    const name = mapOf(one)?.get("name");
    return typeof name === "string" ? [name] : [];
  });
  return names.length === 0 ? undefined : names.join(", ");
}

function mapOf(value: unknown): ReadonlyMap<string, unknown> | undefined {
  if (!isJsonObject(value)) return undefined;
  return new Map<string, unknown>(Object.entries(value));
}

function present(facts: { readonly [K in keyof JsonLdFacts]: string | undefined }): JsonLdFacts {
  return Object.fromEntries(Object.entries(facts).filter(([, value]) => value !== undefined && value.trim() !== ""));
}
