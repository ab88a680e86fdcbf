import * as z from "zod";
import type { SearchQuery } from "../port.ts";
import { optionalText, publishedAt, rowsOf, toHits } from "./hit.ts";
import type { KeyedService, WireFailure, WireFormat } from "./wire-format.ts";
import { serviceUrl, withOperators } from "./wire-format.ts";

/** The default URL of the Custom Search API. */
export const GOOGLE_URL = "https://customsearch.googleapis.com";

const PAGE_SIZE = 10;
const MAX_RESULTS = 20;
const EARLIEST = "19700101";

const metatagsSchema = z.looseObject({
  "article:published_time": optionalText,
  "og:site_name": optionalText,
});

const answerSchema = z.looseObject({
  items: rowsOf(
    z.looseObject({
      title: optionalText,
      link: z.string(),
      snippet: optionalText,
      pagemap: z
        .looseObject({ metatags: z.array(metatagsSchema).nullish() })
        .nullish()
        .catch(undefined),
    }),
  ).nullish(),
});

const errorSchema = z.looseObject({
  error: z.looseObject({
    errors: z.array(z.looseObject({ reason: optionalText })).nullish(),
    details: z.array(z.looseObject({ reason: optionalText })).nullish(),
    status: optionalText,
  }),
});

/**
 * Creates the wire format of the Google Custom Search API.
 *
 * @see https://developers.google.com/custom-search/v1/reference/rest/v1/cse/list
 */
export function googleFormat({
  apiKey,
  engineId,
  baseUrl,
  now,
}: KeyedService & { readonly engineId: string }): WireFormat {
  function requestOf(query: SearchQuery, start: number) {
    const { allowedDomains, blockedDomains } = query;
    const [onlyDomain] = allowedDomains;
    const [blocked] = blockedDomains;
    const isOne = allowedDomains.length === 1 && onlyDomain !== undefined;
    const isOneBlocked = !isOne && allowedDomains.length === 0 && blockedDomains.length === 1 && blocked !== undefined;
    const operators = {
      ...query,
      allowedDomains: isOne ? [] : allowedDomains,
      blockedDomains: isOneBlocked ? [] : blockedDomains,
    };
    const url = serviceUrl(baseUrl, "/customsearch/v1", {
      cx: engineId,
      q: withOperators(operators),
      num: Math.min(Math.min(query.maxResults, MAX_RESULTS) - start + 1, PAGE_SIZE),
      start: start === 1 ? undefined : start,
      lr: languageOf(query),
      gl: query.country?.toLowerCase(),
      sort: dateRangeOf(query, now()),
      siteSearch: isOne ? onlyDomain : isOneBlocked ? blocked : undefined,
      siteSearchFilter: isOne ? "i" : isOneBlocked ? "e" : undefined,
    });
    return { method: "GET", url, headers: { "x-goog-api-key": apiKey } } as const;
  }
  return {
    name: "google",
    pageSize: PAGE_SIZE,
    requests: (query) =>
      (query.maxResults > PAGE_SIZE ? [1, PAGE_SIZE + 1] : [1]).map((start) => requestOf(query, start)),
    hits: (answer) =>
      toHits(
        (answerSchema.parse(answer).items ?? []).map((item) => {
          const [metatags] = item.pagemap?.metatags ?? [];
          return {
            title: item.title,
            url: item.link,
            snippet: item.snippet,
            publishedAt: publishedAt(metatags?.["article:published_time"], now()),
            siteName: metatags?.["og:site_name"],
          };
        }),
      ),
    failure: readFailure,
  };
}

function languageOf({ language }: SearchQuery): string | undefined {
  if (language === undefined) return undefined;
  if (/^zh-(?:CN|TW)$/i.test(language)) return `lang_zh-${language.slice(3).toUpperCase()}`;
  return `lang_${language.split("-")[0]?.toLowerCase()}`;
}

function dateRangeOf({ publishedAfter, publishedBefore }: SearchQuery, now: number): string | undefined {
  if (publishedAfter === undefined && publishedBefore === undefined) return undefined;
  const compact = (date: string) => date.slice(0, 10).replaceAll("-", "");
  const until = compact(publishedBefore ?? new Date(now).toISOString());
  return `date:r:${publishedAfter === undefined ? EARLIEST : compact(publishedAfter)}:${until}`;
}

const QUOTA = /^(?:dailyLimitExceeded|quotaExceeded|limitExceeded)$/;
const RATE = /^(?:rateLimitExceeded|userRateLimitExceeded|RATE_LIMIT_EXCEEDED|RESOURCE_EXHAUSTED)$/;
const KEY = /^(?:keyInvalid|API_KEY_INVALID|API_KEY_SERVICE_BLOCKED|SERVICE_DISABLED|accessNotConfigured|forbidden)$/;

function readFailure({ body }: WireFailure) {
  const { error } = errorSchema.safeParse(body).data ?? {};
  const told = [...(error?.errors ?? []), ...(error?.details ?? [])].map(({ reason }) => reason ?? "");
  if (told.some((reason) => QUOTA.test(reason))) return { reason: "quota_exhausted" } as const;
  if ([...told, error?.status ?? ""].some((reason) => RATE.test(reason))) return { reason: "rate_limited" } as const;
  // The API reports a wrong key with status 400.
  if (told.some((reason) => KEY.test(reason))) return { reason: "misconfigured" } as const;
  return {};
}
