import { type FieldError, type JsonObject, toFieldErrors } from "@yagate/protocol";
import * as z from "zod";
import { LOCAL_PROVIDER, SEARCH_PROVIDER_NAMES } from "../search/provider-names.ts";
import { toDomain } from "../search/query/domain.ts";
import { RECENCIES } from "../search/query/recency.ts";
import { DEFAULT_MAX_AGE_SECONDS, MOST_AGE_SECONDS, MOST_RESULTS, MOST_TOKENS } from "./web-search-limits.ts";

const EXPECTED_DOMAIN = "expected a domain such as example.com, without a scheme, a path and an asterisk";

const domains = z
  .array(
    z.string().transform((text, context) => {
      const domain = toDomain(text);
      if (domain !== undefined) return domain;
      context.addIssue({ code: "custom", message: EXPECTED_DOMAIN });
      return z.NEVER;
    }),
  )
  .min(1)
  .max(100);

const configSchema = z.strictObject({
  /** The model's provider does not search: said by those who want it said. */
  providerHosted: z.literal(false).optional(),
  /** Of those of the gateway, in this order. Default: all, in its order. */
  providers: z.array(z.enum(SEARCH_PROVIDER_NAMES)).min(1).optional(),
  /** Whether the next provider is asked only when one fails or finds nothing, or all are asked and ranked together. */
  ask: z.enum(["first", "all"]).default("first"),
  /** What the folder of the operator's own holds is as good as the author's words: reading it makes no later write ask. */
  trusted: z.boolean().default(false),
  /** Only of these and of what is below them. Default: of all. */
  allowedDomains: domains.optional(),
  /** Never of these, whatever is allowed. */
  blockedDomains: domains.default([]),
  /** Where a call does not say how many. */
  maxResults: z.int().min(1).max(MOST_RESULTS).default(5),
  /** Matches that are read whole; of the others the provider's excerpt is known. */
  fetchPages: z.int().min(0).max(10).default(4),
  /** Whether pages are left alone that robots.txt does not want read. */
  respectRobots: z.boolean().default(false),
  /** Of a whole result, about. */
  tokenBudget: z.int().min(500).max(MOST_TOKENS).default(4_000),
  /** Where a call does not say. */
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
  /** How old an answer may be that was given before. Default: as the gateway has it. */
  maxAgeSeconds: z.int().min(0).max(MOST_AGE_SECONDS).default(DEFAULT_MAX_AGE_SECONDS),
});

/** What an agent's author may say of `web_search`. */
export type WebSearchConfig = z.output<typeof configSchema>;

/**
 * Reads it, or says what is wrong with it.
 *
 * @param defaults - what the gateway has in place of the schema's defaults.
 * @param providers - that the gateway has; undefined where it has none at all.
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
    const message = 'expected trusted only beside providers: ["local"]: what others find was written by strangers';
    problems.push({ path: "trusted", code: "SEARCH_NOT_LOCAL", message });
  }
  return problems.length > 0 ? { problems } : { config: parsed.data };
}
