import * as z from "zod";
import type { SearchQuery } from "../port.ts";
import { optionalText, publishedAt, rowsOf, toHits } from "./hit.ts";
import { failureOf } from "./web-provider.ts";
import type { WireFormat } from "./wire-format.ts";
import { serviceUrl, withOperators } from "./wire-format.ts";

const DAY_MS = 86_400_000;
/** Approximate number of results on one page. */
const PAGE_SIZE = 10;

const FORMAT_REMEDY = "enable the json format in the SearXNG setting search.formats";

const answerSchema = z.looseObject({
  results: rowsOf(
    z.looseObject({ title: optionalText, url: z.string(), content: optionalText, publishedDate: optionalText }),
  ),
  unresponsive_engines: z.array(z.unknown()).optional().catch(undefined),
});

/**
 * Creates the wire format of SearXNG. Without `json` in its `search.formats`, the instance responds with 403.
 *
 * @see https://docs.searxng.org/dev/search_api.html
 */
export function searxngFormat({ baseUrl, now }: { readonly baseUrl: string; readonly now: () => number }): WireFormat {
  return {
    name: "searxng",
    pageSize: PAGE_SIZE,
    requests: (query) => {
      const shared = {
        q: withOperators(query),
        format: "json",
        language: languageOf(query),
        time_range: timeRangeOf(query, now()),
      };
      const pages = query.maxResults > PAGE_SIZE ? [undefined, 2] : [undefined];
      return pages.map((pageno) => ({
        method: "GET",
        url: serviceUrl(baseUrl, "/search", { ...shared, pageno }),
        headers: {},
      }));
    },
    hits: (answer) => {
      const { results, unresponsive_engines: silent = [] } = answerSchema.parse(answer);
      if (results.length === 0 && silent.length > 0) {
        const detail = `${silent.length} of its engines did not respond, and the others found nothing`;
        throw failureOf("searxng", "unavailable", { detail, isUnknown: false });
      }
      return toHits(
        results.map((result) => ({
          title: result.title,
          url: result.url,
          snippet: result.content,
          publishedAt: publishedAt(result.publishedDate, now()),
        })),
      );
    },
    // The rate limiter responds with 429; 403 means that the format is disabled.
    failure: ({ status }) => (status === 403 ? { reason: "misconfigured", remedy: FORMAT_REMEDY } : {}),
  };
}

function languageOf({ language, country }: SearchQuery): string | undefined {
  if (language === undefined || language.includes("-") || country === undefined) return language;
  return `${language}-${country.toUpperCase()}`;
}

/** Returns the shortest supported range that includes the requested dates. All ranges end today. */
function timeRangeOf({ publishedAfter }: SearchQuery, now: number): string | undefined {
  if (publishedAfter === undefined) return undefined;
  const days = (now - Date.parse(publishedAfter)) / DAY_MS;
  if (days <= 1) return "day";
  if (days <= 31) return "month";
  return days <= 366 ? "year" : undefined;
}
