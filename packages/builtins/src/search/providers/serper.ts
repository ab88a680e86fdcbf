import { defined } from "@yagate/lib/objects/defined";
import * as z from "zod";
import type { SearchQuery } from "../port.ts";
import { optionalText, publishedAt, rowsOf, toHits } from "./hit.ts";
import type { KeyedService, WireFormat } from "./wire-format.ts";
import { postRequest, withOperators } from "./wire-format.ts";

/** The default URL of the Serper API. */
export const SERPER_URL = "https://google.serper.dev";

const MAX_RESULTS = 100;

const answerSchema = z.looseObject({
  organic: rowsOf(
    z.looseObject({ title: optionalText, link: z.string(), snippet: optionalText, date: optionalText }),
  ).nullish(),
});

const errorSchema = z.looseObject({ message: z.string() });

/**
 * Creates the wire format of the Serper API.
 *
 * @see https://serper.dev/playground
 */
export function serperFormat({ apiKey, baseUrl, now }: KeyedService): WireFormat {
  return {
    name: "serper",
    pageSize: MAX_RESULTS,
    requests: (query) => {
      const tbs = dateRangeOf(query);
      const body = {
        q: withOperators(query),
        num: Math.min(query.maxResults, MAX_RESULTS),
        ...(query.country === undefined ? {} : { gl: query.country.toLowerCase() }),
        ...(query.language === undefined ? {} : { hl: query.language.toLowerCase() }),
        ...defined({ tbs }),
      };
      return postRequest(baseUrl, { "x-api-key": apiKey }, body);
    },
    hits: (answer) =>
      toHits(
        (answerSchema.parse(answer).organic ?? []).map((result) => ({
          title: result.title,
          url: result.link,
          snippet: result.snippet,
          publishedAt: publishedAt(result.date, now()),
        })),
      ),
    // Without credits, the service responds with 400, as for an invalid query.
    failure: ({ body }) =>
      /credit/i.test(errorSchema.safeParse(body).data?.message ?? "") ? { reason: "quota_exhausted" } : {},
  };
}

/** Returns the requested dates as a Google parameter: `cdr:1,cd_min:<month>/<day>/<year>,cd_max:…`. */
function dateRangeOf({ publishedAfter, publishedBefore }: SearchQuery): string | undefined {
  if (publishedAfter === undefined && publishedBefore === undefined) return undefined;
  const part = (name: string, date: string | undefined) => (date === undefined ? "" : `,${name}:${american(date)}`);
  return `cdr:1${part("cd_min", publishedAfter)}${part("cd_max", publishedBefore)}`;
}

function american(date: string): string {
  const [year, month, day] = date.slice(0, 10).split("-").map(Number);
  return `${month}/${day}/${year}`;
}
