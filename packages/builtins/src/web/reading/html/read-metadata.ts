import { beginningOf } from "@yagate/lib/text/cut-text";
import type { ReadDocument } from "../../port.ts";
import { cleanText } from "../clean-text.ts";
import { toIsoDate } from "../iso-date.ts";
import { toLanguageTag } from "../language-tag.ts";
import { attributeOf, elementsOf, type HtmlElement, lineOf } from "./html-tree.ts";
import { readJsonLd } from "./json-ld.ts";

const MAX_CHARACTERS = 500;

type Elements = readonly HtmlElement[];

/** Metadata of a page. */
export type PageMetadata = Pick<
  ReadDocument,
  "title" | "byline" | "siteName" | "description" | "publishedAt" | "modifiedAt" | "canonicalUrl" | "language"
>;

/**
 * Reads the metadata of a page: from JSON-LD, Open Graph, Dublin Core, other `meta` elements, and the elements of the
 * page.
 */
export function readMetadata(root: HtmlElement, baseUrl: string): PageMetadata {
  const all = elementsOf(root);
  const ld = readJsonLd(root);
  const metas = metasOf(all);
  const meta = (...names: string[]) => names.map((name) => metas.get(name)).find((value) => value !== undefined);
  const element = (matches: (one: HtmlElement) => boolean) => all.find(matches);
  const titleElement = element(({ name }) => name === "title");
  const pageTitle = titleElement === undefined ? undefined : lineOf(titleElement);
  const heading = element(({ name }) => name === "h1");

  return present({
    title: first(
      ld.headline,
      meta("og:title", "twitter:title", "dc.title", "citation_title"),
      pageTitle,
      heading && lineOf(heading),
    ),
    byline: first(
      ld.author,
      meta("author", "article:author", "dc.creator", "citation_author", "parsely-author"),
      bylineOf(all),
    ),
    siteName: first(meta("og:site_name", "application-name"), ld.publisher),
    description: first(meta("og:description", "description", "twitter:description", "dc.description"), ld.description),
    publishedAt: firstDate(
      ld.published,
      meta(
        "article:published_time",
        "datepublished",
        "dc.date",
        "dcterms.created",
        "dcterms.date",
        "citation_publication_date",
        "date",
        "pubdate",
        "parsely-pub-date",
      ),
      timeOf(all, /(?:^|\s)(?:datePublished|published|dt-published|entry-date|post-date)(?:\s|$)/i),
    ),
    modifiedAt: firstDate(
      ld.modified,
      meta("article:modified_time", "og:updated_time", "datemodified", "dcterms.modified", "last-modified", "lastmod"),
      timeOf(all, /(?:^|\s)(?:dateModified|updated|dt-updated)(?:\s|$)/i),
    ),
    canonicalUrl: canonicalOf(all, baseUrl) ?? webUrl(meta("og:url"), baseUrl),
    language: languageOf(all) ?? toLanguageTag(meta("content-language", "dc.language", "og:locale") ?? ld.language),
  });
}

/** Returns a name, title or sentence on one line of at most 500 characters. */
export function toLine(raw: string | undefined): string | undefined {
  const line = cleanText(raw ?? "")
    .text.replace(/\s+/g, " ")
    .trim();
  return line === "" ? undefined : beginningOf(line, MAX_CHARACTERS).toWellFormed();
}

function metasOf(all: Elements): ReadonlyMap<string, string> {
  const metas = new Map<string, string>();
  for (const one of all) {
    if (one.name !== "meta") continue;
    const content = attributeOf(one, "content").trim();
    for (const kind of ["property", "name", "itemprop", "http-equiv"]) {
      const name = attributeOf(one, kind).trim().toLowerCase();
      if (name !== "" && content !== "" && !metas.has(name)) metas.set(name, content);
    }
  }
  return metas;
}

function bylineOf(all: Elements): string | undefined {
  for (const one of all) {
    const isAuthor =
      /(?:^|\s)author(?:\s|$)/i.test(`${attributeOf(one, "rel")} ${attributeOf(one, "itemprop")}`) ||
      /(?:^|\s)(?:byline|p-author|author-name)(?:\s|$)/i.test(attributeOf(one, "class"));
    if (!isAuthor || one.name === "link" || one.name === "meta") continue;
    const line = lineOf(one).replace(/^by\s+/i, "");
    if (line !== "" && line.length <= 100) return line;
  }
  return undefined;
}

function timeOf(all: Elements, kind: RegExp): string | undefined {
  for (const one of all) {
    const written = attributeOf(one, "datetime") || attributeOf(one, "content");
    if (written === "" || one.name === "meta") continue;
    if (kind.test(`${attributeOf(one, "itemprop")} ${attributeOf(one, "class")}`)) return written;
    if (one.attributes.has("pubdate") && kind.test("published")) return written;
  }
  return undefined;
}

function canonicalOf(all: Elements, baseUrl: string): string | undefined {
  for (const one of all) {
    const isCanonical = one.name === "link" && /(?:^|\s)canonical(?:\s|$)/i.test(attributeOf(one, "rel"));
    if (isCanonical) return webUrl(attributeOf(one, "href"), baseUrl);
  }
  return undefined;
}

/** Returns an absolute http or https URL, or `undefined` for any other text. */
export function webUrl(written: string | undefined, baseUrl: string): string | undefined {
  if (written === undefined || written.trim() === "" || written.length > 4_096) return undefined;
  const url = URL.parse(written.trim(), baseUrl);
  return url !== null && (url.protocol === "https:" || url.protocol === "http:") ? url.href : undefined;
}

function languageOf(all: Elements): string | undefined {
  for (const one of all) {
    if (one.name !== "html" && one.name !== "body") continue;
    const tag = toLanguageTag(attributeOf(one, "lang") || attributeOf(one, "xml:lang"));
    if (tag !== undefined) return tag;
  }
  return undefined;
}

function first(...values: readonly (string | undefined)[]): string | undefined {
  return values.map(toLine).find((value) => value !== undefined);
}

function firstDate(...values: readonly (string | undefined)[]): string | undefined {
  return values.map(toIsoDate).find((value) => value !== undefined);
}

function present(metadata: { readonly [K in keyof PageMetadata]: string | undefined }): PageMetadata {
  return Object.fromEntries(Object.entries(metadata).filter(([, value]) => value !== undefined));
}
