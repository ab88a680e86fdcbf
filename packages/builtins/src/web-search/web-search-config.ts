import { type FieldError, type JsonObject, toFieldErrors } from "@yagate/protocol";
import * as z from "zod";
import { LOCAL_PROVIDER, SEARCH_PROVIDER_NAMES } from "../search/provider-names.ts";
import { RECENCIES } from "../search/query/recency.ts";
import { siteSchema } from "../web/site-schema.ts";
import { DEFAULT_MAX_AGE_SECONDS, MOST_AGE_SECONDS, MOST_RESULTS, MOST_TOKENS } from "./web-search-limits.ts";

const domains = z.array(siteSchema).min(1).max(100);

const configSchema = z.strictObject({
  /** Explicitly states that the model's provider does not search. */
  providerHosted: z.literal(false).optional(),
  /** The subset and order of the gateway's providers. Default: all, in the gateway's order. */
  providers: z.array(z.enum(SEARCH_PROVIDER_NAMES)).min(1).optional(),
  /**
   * Whether providers are asked one after the other until one finds something, or all are asked and ranked together.
   */
  ask: z.enum(["first", "all"]).default("first"),
  /**
   * The operator's folder is as trustworthy as the author's own words: reading it does not make later writes need
   * approval.
   */
  trusted: z.boolean().default(false),
  /** Only these domains and their subdomains. Default: all. */
  allowedDomains: domains.optional(),
  /** Never these domains, even if they are allowed. */
  blockedDomains: domains.default([]),
  /** Default for calls that specify no number. */
  maxResults: z.int().min(1).max(MOST_RESULTS).default(5),
  /** Number of matches whose full page is read; for the others, only the provider's excerpt is used. */
  fetchPages: z.int().min(0).max(10).default(4),
  /** Whether pages are skipped that robots.txt disallows. */
  respectRobots: z.boolean().default(false),
  /** Approximate size of a whole result. */
  tokenBudget: z.int().min(500).max(MOST_TOKENS).default(4_000),
  /** Default for calls that do not specify it. */
  recency: z.enum(RECENCIES).default("any"),
  rewrite: z.enum(["rules", "model", "off"]).default("rules"),
  language: z
    .string()
    .regex(/^[A-Za-z]{2,3}(?:-[A-Za-z0-9]{2,8}){0,2}$/, "expected a language tag such as de or pt-BR")
    .optional(),
  country: z
    .string()
    .regex(/^[A-Za-z]{2}$/, "expected a country of two letters such as CH")
    .optional(),
  /** Maximum age of a cached result. Default: the gateway's setting. */
  maxAgeSeconds: z.int().min(0).max(MOST_AGE_SECONDS).default(DEFAULT_MAX_AGE_SECONDS),
});

/** An agent's config of `web_search`. */
export type WebSearchConfig = z.output<typeof configSchema>;

/**
 * Parses the config, or returns its errors.
 *
 * @param defaults - the gateway's values that override the schema's defaults.
 * @param providers - the gateway's providers; undefined if it has none.
 */
export function parseWebSearchConfig(
  config: JsonObject,
  defaults: Partial<Pick<WebSearchConfig, "maxAgeSeconds">>,
  providers: readonly string[] | undefined,
): { readonly config: WebSearchConfig } | { readonly problems: readonly FieldError[] } {
  const parsed = configSchema.safeParse({ ...defaults, ...config });
  if (!parsed.success) return { problems: toFieldErrors(parsed.error) };
  const problems = (parsed.data.providers ?? []).flatMap((name, index): FieldError[] => {
    if (providers === undefined || providers.includes(name)) return [];
    const message = `expected a provider that this gateway has: ${providers.join(", ")}`;
    return [{ path: `providers[${index}]`, code: "SEARCH_PROVIDER_MISSING", message }];
  });
  const asked = parsed.data.providers ?? providers;
  if (parsed.data.trusted && asked?.every((name) => name === LOCAL_PROVIDER) !== true) {
    const message = 'expected trusted only with providers: ["local"]: third parties write what other providers find';
    problems.push({ path: "trusted", code: "SEARCH_NOT_LOCAL", message });
  }
  return problems.length > 0 ? { problems } : { config: parsed.data };
}
