import * as z from "zod";
import type { SearchHit } from "../port.ts";
import { plainText } from "./plain-text.ts";

const MAX_TITLE_CHARACTERS = 300;
/** Longer ones are no pages that anybody would cite. */
const MAX_URL_CHARACTERS = 2_048;
const MAX_SNIPPET_CHARACTERS = 2_000;
const MAX_NAME_CHARACTERS = 100;
/** Tags and entities take more room than what they stand for. */
const MAX_MARKUP = 10;

/** Text that a service may leave out. */
export const optionalText = z.string().nullish().catch(undefined);

/**
 * A list of results, read one by one: an odd one is left out, and the others stay. A list of odd ones alone is none.
 *
 * @param row - what each must be.
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

/** What services have of a match, before it is one. */
export interface HitParts {
  readonly title?: string | null | undefined;
  readonly url: string;
  readonly snippet: string | null | undefined;
  readonly content?: string | null | undefined;
  readonly publishedAt?: string | undefined;
  readonly siteName?: string | null | undefined;
  readonly language?: string | null | undefined;
}

/** @returns none for what has no address that a browser could open. */
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
      ...(hit.publishedAt === undefined ? {} : { publishedAt: hit.publishedAt }),
      ...(hit.siteName ? { siteName: plain(hit.siteName, MAX_NAME_CHARACTERS) } : {}),
      ...(hit.language ? { language: hit.language } : {}),
    };
  });
}

function plain(text: string | null | undefined, maxCharacters: number): string {
  return plainText((text ?? "").slice(0, maxCharacters * MAX_MARKUP)).slice(0, maxCharacters);
}
