import * as z from "zod";
import { SEARCH_PROVIDER_NAMES } from "./provider-names.ts";
import { searchVariablesOf } from "./search-variables.ts";

const apiKey = z.string().regex(/^[\x21-\x7e]{1,1000}$/, "expected printable ASCII characters without spaces");
const baseUrl = z.string().refine(isPlainUrl, "expected an http or https URL without credentials, query or fragment");

/** Settings of a service with an API key. */
const keyedSchema = z.strictObject({
  apiKey,
  /** The URL of the service's API; default: the service's own URL. */
  baseUrl: baseUrl.optional(),
});

/** The search settings of a gateway. */
export const searchSettingsSchema = z
  .strictObject({
    /** The providers to use, in order of preference. Default: all that are configured. */
    providers: z.array(z.enum(SEARCH_PROVIDER_NAMES)).min(1).refine(isUnique, "expected each provider once").optional(),
    brave: keyedSchema.optional(),
    tavily: keyedSchema.optional(),
    exa: keyedSchema.optional(),
    serper: keyedSchema.optional(),
    google: keyedSchema
      .extend({
        /** The id (`cx`) of a Programmable Search Engine. */
        engineId: z.string().min(1, "expected the id of a Programmable Search Engine").max(200),
      })
      .optional(),
    searxng: z.strictObject({ url: baseUrl }).optional(),
    /** A folder of documents to search instead of the web, or in addition to it. */
    local: z.strictObject({ folder: z.string().min(1) }).optional(),
    /**
     * The price of one request in USD, by provider. Local documents are free. If a service has no price, the cost of
     * the search is reported as partial.
     */
    prices: z.partialRecord(z.enum(SEARCH_PROVIDER_NAMES), z.number().min(0).max(100)).default({}),
    /** How long a result may be reused, in seconds. With 0, results are not reused. */
    cacheSeconds: z.int().min(0).max(604_800).default(900),
  })
  .superRefine((settings, context) => {
    for (const [index, name] of (settings.providers ?? []).entries()) {
      if (settings[name] !== undefined) continue;
      const variables = searchVariablesOf(name).join(" and ");
      const message = `the provider ${name} also requires ${variables}`;
      context.addIssue({ code: "custom", path: ["providers", index], message });
    }
  });

/** The validated search settings of a gateway. */
export type SearchSettings = z.output<typeof searchSettingsSchema>;

function isPlainUrl(text: string): boolean {
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol)) return false;
  return [url.username, url.password, url.search, url.hash].every((part) => part === "");
}

function isUnique(names: readonly string[]): boolean {
  return new Set(names).size === names.length;
}
