import { defined } from "@yagate/lib/objects/defined";
import { beginningOf } from "@yagate/lib/text/cut-text";
import type { DocumentFormat } from "../../web/port.ts";
import type { Candidate } from "../asking/candidates.ts";
import type { PageOutcome } from "../pages/read-pages.ts";
import { hostOf, urlKey, withoutTracking } from "../pages/url-key.ts";
import { type Passage, passagesOf } from "./passages.ts";

const TYPES: Readonly<Record<DocumentFormat, SourceType>> = {
  html: "web_page",
  pdf: "pdf",
  feed: "feed",
  text: "text",
  json: "data",
  csv: "data",
};
const MAX_EXCERPT_CHARACTERS = 1_200;
const MAX_SNIPPET_CHARACTERS = 300;
const MAX_TITLE_CHARACTERS = 300;
const MAX_NAME_CHARACTERS = 100;
const MAX_URL_CHARACTERS = 2_048;

/** Creates a source from a candidate: from its page if it was read, otherwise from the provider's data. */
export function toSource(candidate: Candidate, outcome: PageOutcome | undefined): Source {
  const { hit, url, key, corpus } = candidate;
  const isLocal = corpus === "local";
  const shared = { candidate, title: hit.title, mirrors: [] };
  const told = {
    ...defined({ siteName: hit.siteName, publishedAt: hit.publishedAt }),
  };
  if (outcome !== undefined && "page" in outcome) {
    const { document, fetchedAt, url: finalUrl } = outcome.page;
    const siteName = shortened(oneLine(document.siteName ?? hit.siteName ?? ""), MAX_NAME_CHARACTERS);
    const title = shortened(oneLine(document.title ?? ""), MAX_TITLE_CHARACTERS);
    const publishedAt = document.publishedAt ?? hit.publishedAt;
    const passages = passagesOf(document.text);
    return {
      ...shared,
      title: title === "" ? hit.title : title,
      url: finalUrl.length > MAX_URL_CHARACTERS ? url : withoutTracking(finalUrl),
      key: ownCanonical(finalUrl, document.canonicalUrl) ?? urlKey(finalUrl),
      sourceType: TYPES[document.format],
      ...(siteName === "" ? {} : { siteName }),
      ...defined({ publishedAt }),
      fetchedAt,
      // A page without static text, such as one that scripts render, is treated like a page that was not read.
      basis: passages.length === 0 ? "excerpt" : "page",
      passages,
      snippet: shortened(hit.snippet, passages.length === 0 ? MAX_EXCERPT_CHARACTERS : MAX_SNIPPET_CHARACTERS),
      warnings: document.warnings,
    };
  }
  const passages = hit.content === undefined ? [] : passagesOf(hit.content);
  const basis = passages.length === 0 ? "excerpt" : "page";
  return {
    ...shared,
    ...told,
    url,
    key,
    sourceType: isLocal ? "local_document" : "web_page",
    basis,
    passages,
    snippet: shortened(hit.snippet, basis === "page" ? MAX_SNIPPET_CHARACTERS : MAX_EXCERPT_CHARACTERS),
    warnings:
      outcome === undefined
        ? []
        : [{ code: "PAGE_NOT_READ", message: `only the provider's excerpt is available: ${outcome.problem.message}` }],
  };
}

/** Returns the canonical URL that a page states, if it is on the page's own host. */
function ownCanonical(url: string, canonicalUrl: string | undefined): string | undefined {
  if (canonicalUrl === undefined || hostOf(canonicalUrl) !== hostOf(url)) return undefined;
  // Some sites declare the front page as canonical on every page, which would merge them all.
  return URL.parse(canonicalUrl)?.pathname === "/" ? undefined : urlKey(canonicalUrl);
}

function oneLine(text: string): string {
  return text.replace(/[\s\p{Cc}]+/gu, " ").trim();
}

function shortened(text: string, maxCharacters: number): string {
  if (text.length <= maxCharacters) return text;
  const cut = beginningOf(text, maxCharacters - 1);
  const blank = cut.lastIndexOf(" ");
  const words = blank === -1 ? cut : cut.slice(0, blank);
  return `${words}…`;
}

/** The kind of a source; `data` is JSON or CSV. */
export type SourceType = "web_page" | "pdf" | "feed" | "text" | "data" | "local_document";

/** A warning about a source, for the reader of the result. */
interface SourceWarning {
  readonly code: string;
  readonly message: string;
}

/** A candidate with the text that was read for it. */
export interface Source {
  readonly candidate: Candidate;
  readonly title: string;
  /** The URL after redirects. */
  readonly url: string;
  readonly key: string;
  readonly sourceType: SourceType;
  readonly siteName?: string;
  readonly publishedAt?: string;
  /** ms since the epoch; absent if nothing was fetched. */
  readonly fetchedAt?: number;
  /** Whether `passages` come from the full text or only from the provider's excerpt. */
  readonly basis: "page" | "excerpt";
  readonly passages: readonly Passage[];
  readonly snippet: string;
  readonly warnings: readonly SourceWarning[];
  /** Other URLs with the same text. */
  readonly mirrors: readonly string[];
}
