import { type FieldError, type JsonObject, toFieldErrors } from "@yagate/protocol";
import * as z from "zod";
import { siteSchema } from "../web/site-schema.ts";
import { DEFAULT_CHARACTERS, LEAST_CHARACTERS, MOST_CHARACTERS } from "./url-fetch-limits.ts";

const domains = z.array(siteSchema).max(100);

const configSchema = z.strictObject({
  /** The domains whose pages may be fetched, including their subdomains. Default: all. */
  allowedDomains: domains.min(1).optional(),
  /** The domains whose pages are never fetched, including their subdomains, even if they are allowed. */
  blockedDomains: domains.default([]),
  /** Whether all calls respect robots.txt. Otherwise, only calls that request it do. */
  respectRobots: z.boolean().default(false),
  /** Maximum length of the text that one call returns, in characters. */
  maxCharacters: z.int().min(LEAST_CHARACTERS).max(MOST_CHARACTERS).default(DEFAULT_CHARACTERS),
});

/** An agent's config for `url_fetch`. */
export type UrlFetchConfig = z.output<typeof configSchema>;

export const DEFAULT_CONFIG: UrlFetchConfig = configSchema.parse({});

/** Parses the config, or returns its errors. */
export function parseUrlFetchConfig(
  config: JsonObject,
): { readonly config: UrlFetchConfig } | { readonly problems: readonly FieldError[] } {
  const parsed = configSchema.safeParse(config);
  return parsed.success ? { config: parsed.data } : { problems: toFieldErrors(parsed.error) };
}
