import * as z from "zod";
import type { SearchQuery } from "../port.ts";
import { optionalText, publishedAt, rowsOf, toHits } from "./hit.ts";
import type { KeyedService, WireFailure, WireFormat } from "./wire-format.ts";
import { serviceUrl, withOperators } from "./wire-format.ts";

/** The default URL of the Brave Search API. */
export const BRAVE_URL = "https://api.search.brave.com";

const MAX_COUNT = 20;
const EARLIEST = "1970-01-01";

const answerSchema = z.looseObject({
  web: z
    .looseObject({
      results: rowsOf(
        z.looseObject({
          title: optionalText,
          url: z.string(),
          description: optionalText,
          extra_snippets: z.array(z.string()).nullish().catch(undefined),
          page_age: optionalText,
          age: optionalText,
          language: optionalText,
          profile: z.looseObject({ name: optionalText }).nullish().catch(undefined),
        }),
      ),
    })
    .nullish(),
});

const errorSchema = z.looseObject({ error: z.looseObject({ code: z.string() }) });

/**
 * Creates the wire format of the Brave Search API.
 *
 * @see https://api-dashboard.search.brave.com/api-reference/web/search/get
 */
export function braveFormat({ apiKey, baseUrl, now }: KeyedService): WireFormat {
  return {
    name: "brave",
    pageSize: MAX_COUNT,
    requests: (query) => [
      {
        method: "GET",
        url: serviceUrl(baseUrl, "/res/v1/web/search", {
          q: withOperators(query),
          count: Math.min(query.maxResults, MAX_COUNT),
          country: query.country?.toUpperCase(),
          search_lang: query.language?.split("-")[0]?.toLowerCase(),
          freshness: freshnessOf(query, now()),
          result_filter: "web",
          text_decorations: "false",
        }),
        headers: { "x-subscription-token": apiKey },
      },
    ],
    hits: (answer) =>
      toHits(
        (answerSchema.parse(answer).web?.results ?? []).map((result) => ({
          ...result,
          snippet: [result.description ?? "", ...(result.extra_snippets ?? [])].join(" "),
          publishedAt: publishedAt(result.page_age, now()) ?? publishedAt(result.age, now()),
          siteName: result.profile?.name,
        })),
      ),
    failure: readFailure,
  };
}

function freshnessOf({ publishedAfter, publishedBefore }: SearchQuery, now: number): string | undefined {
  if (publishedAfter === undefined && publishedBefore === undefined) return undefined;
  const today = new Date(now).toISOString().slice(0, 10);
  return `${publishedAfter?.slice(0, 10) ?? EARLIEST}to${publishedBefore?.slice(0, 10) ?? today}`;
}

/**
 * Interprets a failed response. For each rate-limit window, shortest first, the headers state how many requests are
 * left and when the window resets.
 */
function readFailure({ status, body, headers }: WireFailure) {
  const code = errorSchema.safeParse(body).data?.error.code ?? "";
  if (code === "SUBSCRIPTION_TOKEN_INVALID") return { reason: "misconfigured" } as const;
  if (status !== 429) return {};
  const left = numbersOf(headers["x-ratelimit-remaining"]);
  const resets = numbersOf(headers["x-ratelimit-reset"]);
  const emptied = resets.filter((_, index) => left[index] === 0);
  const isQuota = code === "QUOTA_LIMITED" || (left.length > 1 && left.at(-1) === 0);
  const seconds = Math.max(...(emptied.length > 0 ? emptied : resets.slice(0, 1)));
  return {
    reason: isQuota ? "quota_exhausted" : "rate_limited",
    ...(Number.isFinite(seconds) ? { retryAfterMs: seconds * 1_000 } : {}),
  } as const;
}

function numbersOf(header: string | undefined): readonly number[] {
  const parts = (header ?? "").split(",").map((part) => part.trim());
  return parts.filter((part) => /^\d{1,10}$/.test(part)).map(Number);
}
