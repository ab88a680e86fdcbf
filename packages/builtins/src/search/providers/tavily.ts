import { defined } from "@yagate/lib/objects/defined";
import * as z from "zod";
import { optionalText, publishedAt, rowsOf, toHits } from "./hit.ts";
import { type KeyedService, postRequest, type WireFormat } from "./wire-format.ts";

/** The default URL of the Tavily API. */
export const TAVILY_URL = "https://api.tavily.com";

const MAX_RESULTS = 20;
const MAX_INCLUDED = 300;
const MAX_EXCLUDED = 150;
/** The statuses for a used-up plan, and for a used-up spending limit of the account. */
const QUOTA_STATUSES: ReadonlySet<number> = new Set([432, 433]);

const answerSchema = z.looseObject({
  results: rowsOf(
    z.looseObject({
      title: optionalText,
      url: z.string(),
      content: optionalText,
      raw_content: optionalText,
      published_date: optionalText,
    }),
  ),
});

/**
 * Creates the wire format of the Tavily API.
 *
 * @see https://docs.tavily.com/documentation/api-reference/endpoint/search
 */
export function tavilyFormat({ apiKey, baseUrl, now }: KeyedService): WireFormat {
  return {
    name: "tavily",
    pageSize: MAX_RESULTS,
    requests: (query) => {
      const { allowedDomains, blockedDomains, publishedAfter, publishedBefore } = query;
      const country = query.country === undefined ? undefined : countryName(query.country);
      const body = {
        query: query.text,
        topic: "general",
        search_depth: "basic",
        max_results: Math.min(query.maxResults, MAX_RESULTS),
        // A partial list would exclude matches that the complete list allows.
        ...(allowedDomains.length === 0 || allowedDomains.length > MAX_INCLUDED
          ? {}
          : { include_domains: allowedDomains }),
        ...(blockedDomains.length === 0 ? {} : { exclude_domains: blockedDomains.slice(0, MAX_EXCLUDED) }),
        ...(publishedAfter === undefined ? {} : { start_date: publishedAfter.slice(0, 10) }),
        ...(publishedBefore === undefined ? {} : { end_date: publishedBefore.slice(0, 10) }),
        ...defined({ country }),
      };
      return postRequest(baseUrl, { authorization: `Bearer ${apiKey}` }, body);
    },
    hits: (answer) =>
      toHits(
        answerSchema.parse(answer).results.map((result) => ({
          title: result.title,
          url: result.url,
          snippet: result.content,
          content: result.raw_content,
          publishedAt: publishedAt(result.published_date, now()),
        })),
      ),
    failure: ({ status }) => (QUOTA_STATUSES.has(status) ? { reason: "quota_exhausted" } : {}),
  };
}

const NAMES = new Intl.DisplayNames("en", { type: "region", fallback: "none" });

/** Returns a country's English name in lower case, such as `switzerland`; `undefined` for an unknown code. */
function countryName(code: string): string | undefined {
  return /^[A-Za-z]{2}$/.test(code) ? NAMES.of(code.toUpperCase())?.toLowerCase() : undefined;
}
