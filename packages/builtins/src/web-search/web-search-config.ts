import { type FieldError, type JsonObject, toFieldErrors } from "@yagate/protocol";
import * as z from "zod";
import { LOCAL_PROVIDER, SEARCH_PROVIDER_NAMES } from "../search/provider-names.ts";
import { RECENCIES } from "../search/search-request.ts";
import { siteSchema } from "../web/site-schema.ts";

export const MAX_QUERY_CHARACTERS = 400;
export const MOST_RESULTS = 20;
/** Maximum number of tokens in a result. A larger result would be cut to a preview before a model reads it. */
const MOST_TOKENS = 10_000;
export const MOST_AGE_SECONDS = 604_800;
const DEFAULT_MAX_AGE_SECONDS = 900;
/** Maximum number of domains in one call. */
export const MOST_DOMAINS = 10;

const domains = z.array(siteSchema).min(1).max(100);

const configSchema = z.strictObject({
  /** `false` states explicitly that the model's provider does not search. */
  providerHosted: z.literal(false).optional(),
  /** The gateway's providers to use, in this order. Default: all, in the gateway's order. */
  providers: z.array(z.enum(SEARCH_PROVIDER_NAMES)).min(1).optional(),
  /**
   * `first`: providers are asked one after another until one finds something. `all`: all are asked, and their matches
   * are ranked together.
   */
  ask: z.enum(["first", "all"]).default("first"),
  /**
   * Whether results are trusted like the author's own text, so that reading them does not make later writes require
   * approval. Only for the operator's own documents.
   */
  trusted: z.boolean().default(false),
  /** The only domains to search, including their subdomains. Default: all. */
  allowedDomains: domains.optional(),
  /** The domains that are never searched, including their subdomains, even if they are allowed. */
  blockedDomains: domains.default([]),
  /** Default for calls that do not specify a number. */
  maxResults: z.int().min(1).max(MOST_RESULTS).default(5),
  /** Number of matches whose full page is read. For other matches, only the provider's excerpt is used. */
  fetchPages: z.int().min(0).max(10).default(4),
  /** Whether to skip pages that robots.txt disallows. */
  respectRobots: z.boolean().default(false),
  /** Approximate size of a complete result, in tokens. */
  tokenBudget: z.int().min(500).max(MOST_TOKENS).default(4_000),
  /** Default for calls that do not specify a period. */
  recency: z.enum(RECENCIES).default("any"),
  rewrite: z.enum(["rules", "model", "off"]).default("rules"),
  language: z
    .string()
    .regex(/^[A-Za-z]{2,3}(?:-[A-Za-z0-9]{2,8}){0,2}$/, "expected a language tag such as de or pt-BR")
    .optional(),
  country: z
    .string()
    .regex(/^[A-Za-z]{2}$/, "expected a two-letter country code such as CH")
    .optional(),
  /** Maximum age of a cached result. Default: the gateway's setting. */
  maxAgeSeconds: z.int().min(0).max(MOST_AGE_SECONDS).default(DEFAULT_MAX_AGE_SECONDS),
});

/** An agent's config for `web_search`. */
export type WebSearchConfig = z.output<typeof configSchema>;

/**
 * Parses the config, or returns its errors.
 *
 * @param defaults - values set for the gateway, which override the defaults of the schema.
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
    const message = 'trusted requires providers: ["local"], because third parties write what other providers find';
    problems.push({ path: "trusted", code: "SEARCH_NOT_LOCAL", message });
  }
  return problems.length > 0 ? { problems } : { config: parsed.data };
}
