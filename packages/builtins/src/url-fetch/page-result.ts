import { defined } from "@yagate/lib/objects/defined";
import { cutText, withoutHalfAtEnd } from "@yagate/lib/text/cut-text";
import { findInjections } from "../web/injection/find-injections.ts";
import { frameUntrusted } from "../web/injection/frame-untrusted.ts";
import type { ContentWarning, FetchedPage } from "../web/port.ts";

/**
 * Maximum size of a result as JSON, in characters. A model reads a result of this size completely, so no preview cuts
 * off the end of its frame.
 */
const MAX_JSON_CHARACTERS = 48_000;
/** Number of characters that escaping adds to a text that resembles a frame tag. */
const FRAME_GROWTH = 5;
const MAX_LINKS = 100;
const MAX_LINK_CHARACTERS = 12_000;
const MAX_LINK_TEXT = 120;
const MAX_LINK_URL = 1_000;
const MAX_METADATA = 500;
const MAX_WARNINGS = 20;
/** Maximum number of characters by which a part is shortened so that it ends at a line end. */
const LINE_SEARCH = 400;

/** The requested part of a page, and how to show it. */
export interface PieceWanted {
  readonly offset: number;
  readonly maxCharacters: number;
  readonly withLinks: boolean;
  /** Random hex digits, newly generated for this result. */
  readonly nonce: string;
  /** ms since the epoch. */
  readonly now: number;
  /** Whether the page came from the cache. */
  readonly isKept: boolean;
}

/** Builds the result for the model. All values from the page itself are untrusted. */
export function pageResult(page: FetchedPage, wanted: PieceWanted): Readonly<Record<string, unknown>> {
  const { document } = page;
  const { offset, isKept, now } = wanted;
  const links = wanted.withLinks ? listLinks(document.links) : undefined;
  const metadata = metadataOf(page);
  const whole = document.text;
  let length = Math.min(wanted.maxCharacters, Math.max(0, whole.length - offset));
  for (;;) {
    const text = pieceOf(whole, offset, length);
    const end = offset + text.length;
    const warnings = warningsOf(page, text, metadata, links);
    const result = {
      url: page.url,
      status: page.status,
      fetchedAt: new Date(page.fetchedAt).toISOString(),
      ...(isKept ? { ageSeconds: Math.max(0, Math.round((now - page.fetchedAt) / 1_000)) } : {}),
      format: document.format,
      bytes: page.bytes,
      ...metadata,
      ...defined({ pageCount: document.pageCount }),
      source_untrusted: true,
      warnings,
      totalCharacters: whole.length,
      offset,
      ...(end < whole.length ? { nextOffset: end } : {}),
      content: frameUntrusted(text, wanted.nonce),
      ...defined({ links }),
    };
    const characters = shownCharacters(result);
    if (characters <= MAX_JSON_CHARACTERS || length <= 1) return result;
    // Control characters and quotes are longer in JSON.
    length = Math.max(1, Math.floor(Math.min(text.length, length) * (MAX_JSON_CHARACTERS / characters) * 0.95));
  }
}

function shownCharacters(result: unknown): number {
  const json = JSON.stringify(result);
  return json.length + FRAME_GROWTH * (json.match(/tool_response/gi)?.length ?? 0);
}

/**
 * Returns a part of the text. The part ends at a complete character, and at the end of a line if there is one nearby.
 */
function pieceOf(text: string, offset: number, length: number): string {
  const piece = text.slice(offset, offset + length);
  if (offset + length >= text.length) return piece;
  const line = piece.lastIndexOf("\n");
  if (line >= 0 && line >= piece.length - LINE_SEARCH && line > piece.length / 2) return piece.slice(0, line + 1);
  return piece.length > 1 ? withoutHalfAtEnd(piece) : piece;
}

function metadataOf({ document }: FetchedPage): Readonly<Record<string, string>> {
  const { title, byline, siteName, description, publishedAt, modifiedAt, canonicalUrl, language } = document;
  const said = { title, byline, siteName, description, publishedAt, modifiedAt, canonicalUrl, language };
  return Object.fromEntries(
    Object.entries(said).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, oneLine(value, MAX_METADATA)]],
    ),
  );
}

function listLinks(links: FetchedPage["document"]["links"]): readonly { text: string; url: string }[] {
  const listed: { text: string; url: string }[] = [];
  let characters = 0;
  for (const { text, url } of links) {
    if (url.length > MAX_LINK_URL) continue;
    const link = { text: oneLine(text, MAX_LINK_TEXT), url };
    characters += JSON.stringify(link).length;
    if (listed.length === MAX_LINKS || characters > MAX_LINK_CHARACTERS) break;
    listed.push(link);
  }
  return listed;
}

function oneLine(text: string, most: number): string {
  const line = text.replace(/[\s\p{Cc}]+/gu, " ").trim();
  return cutText(line, most);
}

/** Returns the warnings about the page and about the part that is shown. */
function warningsOf(
  { document }: FetchedPage,
  text: string,
  metadata: Readonly<Record<string, string>>,
  links: readonly { readonly text: string }[] = [],
): readonly ContentWarning[] {
  const shown = [...Object.values(metadata), text, ...links.map((link) => link.text)].join("\n");
  const all = [...document.warnings, ...findInjections(shown)];
  return [...new Map(all.map((warning) => [warning.code, warning])).values()].slice(0, MAX_WARNINGS);
}
