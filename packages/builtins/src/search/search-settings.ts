import * as z from "zod";
import { SEARCH_PROVIDER_NAMES } from "./provider-names.ts";
import { searchVariablesOf } from "./search-variables.ts";

const apiKey = z.string().regex(/^[\x21-\x7e]{1,1000}$/, "expected printable ASCII characters without spaces");
const baseUrl = z.string().refine(isPlainUrl, "expected an http or https URL without a user, a query and a fragment");

/** A service that is asked with a key. */
const keyedSchema = z.strictObject({
  apiKey,
  /** Where its API is, when not at the service's own address. */
  baseUrl: baseUrl.optional(),
});

/** What a gateway searches with. */
export const searchSettingsSchema = z
  .strictObject({
    /** Who is asked, in this order: the next one when one fails. Default all that have what they need. */
    providers: z.array(z.enum(SEARCH_PROVIDER_NAMES)).min(1).refine(isUnique, "expected each provider once").optional(),
    brave: keyedSchema.optional(),
    tavily: keyedSchema.optional(),
    exa: keyedSchema.optional(),
    serper: keyedSchema.optional(),
    google: keyedSchema
      .extend({
        /** Of a Programmable Search Engine, its `cx`. */
        engineId: z.string().min(1, "expected the id of a Programmable Search Engine").max(200),
      })
      .optional(),
    searxng: z.strictObject({ url: baseUrl }).optional(),
    /** A folder of documents that are searched in place of the web, or beside it. */
    local: z.strictObject({ folder: z.string().min(1) }).optional(),
    /** What one request costs, in USD, by provider. Your own cost nothing; without a price a service's cost is told as partial. */
    prices: z.partialRecord(z.enum(SEARCH_PROVIDER_NAMES), z.number().min(0).max(100)).default({}),
    /** How long an answer may be given again, in seconds; 0: never. */
    cacheSeconds: z.int().min(0).max(604_800).default(900),
  })
  .superRefine((settings, context) => {
    for (const [index, name] of (settings.providers ?? []).entries()) {
      if (settings[name] !== undefined) continue;
      const variables = searchVariablesOf(name).join(" and ");
      const message = `expected the settings of ${name} too: ${variables}`;
      context.addIssue({ code: "custom", path: ["providers", index], message });
    }
  });

/** A gateway's search, checked. */
export type SearchSettings = z.output<typeof searchSettingsSchema>;

function isPlainUrl(text: string): boolean {
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol)) return false;
  return [url.username, url.password, url.search, url.hash].every((part) => part === "");
}

function isUnique(names: readonly string[]): boolean {
  return new Set(names).size === names.length;
}
