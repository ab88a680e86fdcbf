import { beginningOf } from "@yagate/lib/text/cut-text";
import { type ContentWarning, DocumentError, type ReadDocument } from "../../port.ts";
import { cleanText, invisibleWarnings } from "../clean-text.ts";
import { readHtml } from "../html/read-html.ts";
import { toLine, webUrl } from "../html/read-metadata.ts";
import { toIsoDate } from "../iso-date.ts";
import { toLanguageTag } from "../language-tag.ts";
import type { FeedContent, FeedEntry } from "./feed-entry.ts";
import { parseFeed } from "./parse-feed.ts";

/** Maximum length of a feed in characters. Limited because the parser needs many times as much memory. */
const MAX_CHARACTERS = 4_194_304;
const MAX_ENTRIES = 200;
const MAX_SUMMARY_CHARACTERS = 20_000;
const MAX_MARKUP_CHARACTERS = 200_000;

/**
 * Reads a feed: its title, and its first 200 entries with links, dates, authors and content. Entities that the document
 * declares are not expanded.
 *
 * @throws DocumentError `limit` for a feed of more than 4,194,304 characters, `unreadable` for an invalid feed.
 */
export function readFeed(xml: string, url: string): ReadDocument {
  if (xml.length > MAX_CHARACTERS)
    throw new DocumentError("limit", `feeds of more than ${MAX_CHARACTERS} characters are not supported`);
  const feed = parsedFeed(xml);
  const warnings: ContentWarning[] = [];
  const entries = feed.entries.slice(0, MAX_ENTRIES);
  const links = new Map<string, string>();
  for (const entry of entries) {
    const target = webUrl(entry.url, url);
    if (target !== undefined && !links.has(target)) links.set(target, plain(entry.title, url) ?? "");
  }
  const blocks = [
    ...present([plain(feed.title, url)], (title) => `# ${title}`),
    ...present([plain(feed.description, url)], (text) => text),
    ...entries.map((entry) => entryOf(entry, url, warnings)),
  ];
  const { text, invisible } = cleanText(blocks.join("\n\n"));
  warnings.push(...invisibleWarnings(invisible));
  if (feed.entries.length > MAX_ENTRIES) {
    warnings.push({ code: "FEED_CUT", message: `only the first ${MAX_ENTRIES} entries of the feed are returned` });
  }
  const facts = {
    title: plain(feed.title, url),
    description: plain(feed.description, url),
    modifiedAt: toIsoDate(feed.date),
    canonicalUrl: webUrl(feed.url, url),
    language: toLanguageTag(feed.language),
  };
  return {
    format: "feed",
    text,
    ...Object.fromEntries(Object.entries(facts).filter(([, value]) => value !== undefined)),
    links: Array.from(links, ([target, label]) => ({ text: label, url: target })),
    warnings: distinct(warnings),
  };
}

function parsedFeed(xml: string): FeedContent {
  try {
    // One entry more than the maximum, to detect whether entries are left out.
    return parseFeed(xml.replace(/^\uFEFF?\s+/, ""), MAX_ENTRIES + 1);
  } catch (cause) {
    if (cause instanceof RangeError) throw cause;
    throw new DocumentError("unreadable", "it looks like a feed but can't be parsed as one", { cause });
  }
}

function entryOf(entry: FeedEntry, url: string, warnings: ContentWarning[]): string {
  const facts = [
    webUrl(entry.url, url),
    toIsoDate(entry.date) ?? toLine(entry.date),
    toLine((entry.authors ?? []).filter((name) => name !== undefined).join(", ")),
  ].filter((fact) => fact !== undefined);
  const summary = readHtml((entry.summary ?? "").slice(0, MAX_MARKUP_CHARACTERS), url);
  warnings.push(...summary.warnings.filter(({ code }) => code !== "NO_CONTENT"));
  const text = beginningOf(summary.text, MAX_SUMMARY_CHARACTERS).toWellFormed();
  if (text.length < summary.text.length) {
    warnings.push({
      code: "ENTRY_CUT",
      message: `only the first ${MAX_SUMMARY_CHARACTERS} characters of an entry are returned`,
    });
  }
  const title = plain(entry.title, url) ?? "(no title)";
  return [`## ${title}`, facts.join(" · "), text].filter((part) => part !== "").join("\n\n");
}

/** Converts a title to plain text, because titles may contain HTML. */
function plain(markup: string | undefined, url: string): string | undefined {
  if (markup === undefined) return undefined;
  return toLine(/[<&]/.test(markup) ? readHtml(markup.slice(0, MAX_SUMMARY_CHARACTERS), url).text : markup);
}

function present(values: readonly (string | undefined)[], write: (value: string) => string): string[] {
  return values.flatMap((value) => (value === undefined ? [] : [write(value)]));
}

function distinct(warnings: readonly ContentWarning[]): readonly ContentWarning[] {
  return [...new Map(warnings.map((warning) => [warning.code, warning])).values()];
}
