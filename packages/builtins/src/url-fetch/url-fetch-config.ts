import { type FieldError, type JsonObject, toFieldErrors } from "@yagate/protocol";
import * as z from "zod";
import { DEFAULT_CHARACTERS, LEAST_CHARACTERS, MOST_CHARACTERS } from "./url-fetch-limits.ts";

const domains = z
  .array(
    z
      .string()
      .regex(
        /^(?:[\p{L}\p{N}-]{1,63}\.)+[\p{L}\p{N}-]{2,63}$/u,
        "expected a domain such as example.com, without a scheme, a path and an asterisk",
      ),
  )
  .max(100);

const configSchema = z.strictObject({
  /** Only pages of these and of what is below them. Default: of all. */
  allowedDomains: domains.min(1).optional(),
  /** Never of these, whatever is allowed. */
  blockedDomains: domains.default([]),
  /** Whether every call heeds robots.txt; otherwise those that ask for it do. */
  respectRobots: z.boolean().default(false),
  /** Of the text of one call, where the call does not say less. */
  maxCharacters: z.int().min(LEAST_CHARACTERS).max(MOST_CHARACTERS).default(DEFAULT_CHARACTERS),
});

/** What an agent's author may say of `url_fetch`. */
export type UrlFetchConfig = z.output<typeof configSchema>;

export const DEFAULT_CONFIG: UrlFetchConfig = configSchema.parse({});

/** Reads it, or says what is wrong with it. */
export function parseUrlFetchConfig(
  config: JsonObject,
): { readonly config: UrlFetchConfig } | { readonly problems: readonly FieldError[] } {
  const parsed = configSchema.safeParse(config);
  return parsed.success ? { config: parsed.data } : { problems: toFieldErrors(parsed.error) };
}
