import { parseFeed as parseAnyFeed } from "feedsmith";
import type { FeedContent } from "./feed-entry.ts";

type AnyFeed = ReturnType<typeof parseAnyFeed<string>>;
type Feed<Format> = Extract<AnyFeed, { readonly format: Format }>["feed"];

/**
 * Parses RSS, RDF, Atom or JSON Feed, up to a maximum number of entries.
 *
 * @throws Error if it is not a feed.
 */
export function parseFeed(text: string, maxEntries: number): FeedContent {
  const parsed = parseAnyFeed(text, { maxItems: maxEntries });
  switch (parsed.format) {
    case "rss":
      return ofRss(parsed.feed);
    case "rdf":
      return ofRdf(parsed.feed);
    case "atom":
      return ofAtom(parsed.feed);
    case "json":
      return ofJson(parsed.feed);
  }
}

function ofRss(feed: Feed<"rss">): FeedContent {
  return {
    title: feed.title,
    description: feed.description,
    url: feed.link,
    language: feed.language,
    date: feed.lastBuildDate ?? feed.pubDate,
    entries: (feed.items ?? []).map((item) => ({
      title: item.title,
      url: item.link ?? (item.guid?.isPermaLink === false ? undefined : item.guid?.value),
      date: item.pubDate ?? item.dc?.dates?.[0],
      authors: item.authors?.map((one) => one.name ?? one.email) ?? item.dc?.creators,
      summary: item.content?.encoded ?? item.description,
    })),
  };
}

function ofRdf(feed: Feed<"rdf">): FeedContent {
  return {
    title: feed.title,
    description: feed.description,
    url: feed.link,
    language: feed.dc?.languages?.[0],
    date: feed.dc?.dates?.[0],
    entries: (feed.items ?? []).map((item) => ({
      title: item.title,
      url: item.link,
      date: item.dc?.dates?.[0],
      authors: item.dc?.creators,
      summary: item.content?.encoded ?? item.description,
    })),
  };
}

function ofAtom(feed: Feed<"atom">): FeedContent {
  const linkOf = (links: Feed<"atom">["links"]) =>
    (links?.find((link) => link.rel === undefined || link.rel === "alternate") ?? links?.[0])?.href;
  return {
    title: feed.title?.value,
    description: feed.subtitle?.value,
    url: linkOf(feed.links),
    language: feed.xml?.lang,
    date: feed.updated,
    entries: (feed.entries ?? []).map((entry) => ({
      title: entry.title?.value,
      url: linkOf(entry.links),
      date: entry.published ?? entry.updated,
      authors: entry.authors?.map(({ name }) => name),
      summary: entry.content?.value ?? entry.summary?.value,
    })),
  };
}

function ofJson(feed: Feed<"json">): FeedContent {
  return {
    title: feed.title,
    description: feed.description,
    url: feed.home_page_url,
    language: feed.language,
    entries: (feed.items ?? []).map((item) => ({
      title: item.title,
      url: item.url,
      date: item.date_published ?? item.date_modified,
      authors: item.authors?.map(({ name }) => name),
      summary: item.content_html ?? item.content_text ?? item.summary,
    })),
  };
}
