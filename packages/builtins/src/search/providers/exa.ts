import * as z from "zod";
import { optionalText, publishedAt, rowsOf, toHits } from "./hit.ts";
import type { KeyedService, WireFormat } from "./wire-format.ts";
import { postRequest } from "./wire-format.ts";

/** The default URL of the Exa API. */
export const EXA_URL = "https://api.exa.ai";

const MAX_RESULTS = 100;

const answerSchema = z.looseObject({
  results: rowsOf(
    z.looseObject({
      title: optionalText,
      url: z.string(),
      publishedDate: optionalText,
      text: optionalText,
      highlights: z.array(z.string()).nullish().catch(undefined),
    }),
  ),
});

const errorSchema = z.looseObject({ tag: z.string() });
const QUOTA_TAG = /CREDIT|BUDGET/;
const KEY_TAG = /API_KEY/;

/**
 * Creates the wire format of the Exa API.
 *
 * @see https://docs.exa.ai/reference/search
 */
export function exaFormat({ apiKey, baseUrl, now }: KeyedService): WireFormat {
  return {
    name: "exa",
    pageSize: MAX_RESULTS,
    requests: (query) => {
      const { allowedDomains, blockedDomains, publishedAfter, publishedBefore, country } = query;
      const body = {
        query: query.text,
        type: "auto",
        numResults: Math.min(query.maxResults, MAX_RESULTS),
        // The API accepts only one of the two lists; the other list is applied to its response.
        ...(allowedDomains.length > 0
          ? { includeDomains: allowedDomains }
          : blockedDomains.length > 0
            ? { excludeDomains: blockedDomains }
            : {}),
        ...(publishedAfter === undefined ? {} : { startPublishedDate: startOf(publishedAfter) }),
        ...(publishedBefore === undefined ? {} : { endPublishedDate: endOf(publishedBefore) }),
        ...(country === undefined ? {} : { userLocation: country.toUpperCase() }),
        contents: { highlights: true },
      };
      return postRequest(baseUrl, { "x-api-key": apiKey }, body);
    },
    hits: (answer) =>
      toHits(
        answerSchema.parse(answer).results.map((result) => ({
          title: result.title,
          url: result.url,
          snippet: (result.highlights ?? []).join(" … "),
          content: result.text,
          publishedAt: publishedAt(result.publishedDate, now()),
        })),
      ),
    failure: ({ body }) => {
      const tag = errorSchema.safeParse(body).data?.tag ?? "";
      if (QUOTA_TAG.test(tag)) return { reason: "quota_exhausted" };
      return KEY_TAG.test(tag) ? { reason: "misconfigured" } : {};
    },
  };
}

function startOf(date: string): string {
  return date.length === 10 ? `${date}T00:00:00.000Z` : date;
}

function endOf(date: string): string {
  return date.length === 10 ? `${date}T23:59:59.999Z` : date;
}
