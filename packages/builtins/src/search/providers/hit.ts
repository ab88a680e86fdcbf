import { defined } from "@yagate/lib/objects/defined";
import * as z from "zod";
import type { SearchHit } from "../port.ts";
import { plainText } from "./plain-text.ts";

const MAX_TITLE_CHARACTERS = 300;
/** Maximum length of a URL. Longer URLs are not worth citing. */
const MAX_URL_CHARACTERS = 2_048;
const MAX_SNIPPET_CHARACTERS = 2_000;
const MAX_NAME_CHARACTERS = 100;
/** Maximum ratio of a raw excerpt to its plain text, which is shorter because tags are removed and entities decoded. */
const MAX_MARKUP = 10;

/** Schema for a string in a response that may be missing or invalid. */
export const optionalText = z.string().nullish().catch(undefined);

/**
 * Creates a schema for a list of results that parses them one by one. Invalid rows are dropped, but a list with only
 * invalid rows is an error.
 *
 * @param row - the schema of a row.
 */
export function rowsOf<Row>(row: z.ZodType<Row>) {
  return z.array(z.unknown()).transform((rows, context): readonly Row[] => {
    const read = rows.flatMap((one) => {
      const { data } = row.safeParse(one);
      return data === undefined ? [] : [data];
    });
    if (rows.length > 0 && read.length === 0) context.addIssue({ code: "custom", message: "expected results" });
    return read;
  });
}

/** The fields of a match, as services return them. */
export interface HitParts {
  readonly title?: string | null | undefined;
  readonly url: string;
  readonly snippet: string | null | undefined;
  readonly content?: string | null | undefined;
  readonly publishedAt?: string | undefined;
  readonly siteName?: string | null | undefined;
  readonly language?: string | null | undefined;
}

/** Converts matches to hits, and drops those whose URL is too long or not http or https. */
export function toHits(parts: readonly HitParts[]): readonly SearchHit[] {
  return parts.flatMap((hit) => {
    const { protocol } = URL.parse(hit.url) ?? {};
    if ((protocol !== "https:" && protocol !== "http:") || hit.url.length > MAX_URL_CHARACTERS) return [];
    const title = plain(hit.title, MAX_TITLE_CHARACTERS);
    return {
      title: title === "" ? hit.url : title,
      url: hit.url,
      snippet: plain(hit.snippet, MAX_SNIPPET_CHARACTERS),
      ...(hit.content ? { content: hit.content } : {}),
      ...defined({ publishedAt: hit.publishedAt }),
      ...(hit.siteName ? { siteName: plain(hit.siteName, MAX_NAME_CHARACTERS) } : {}),
      ...(hit.language ? { language: hit.language } : {}),
    };
  });
}

function plain(text: string | null | undefined, maxCharacters: number): string {
  return plainText((text ?? "").slice(0, maxCharacters * MAX_MARKUP)).slice(0, maxCharacters);
}
