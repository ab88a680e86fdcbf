import { parseSite } from "@yagate/lib/hosts/site-filter";
import { defined } from "@yagate/lib/objects/defined";

/** A query whose operators were converted to separate filters. */
export interface ReadQuery {
  /** The search text without operators; quoted phrases keep their quotes. */
  readonly text: string;
  readonly phrases: readonly string[];
  readonly excludedTerms: readonly string[];
  readonly allowedDomains: readonly string[];
  readonly blockedDomains: readonly string[];
  /** The first publication date, ISO 8601, inclusive. */
  readonly publishedAfter?: string;
  readonly publishedBefore?: string;
}

const PART = /(-?)(?:"([^"]*)"|(\S+))/g;
const OPERATOR = /^(site|after|before):(.+)$/i;
/** Matches polite phrases at the start of a query, which are not search terms. */
const NOISE = [
  /^(?:please|hey|ok|okay)[\s,]+/i,
  /^(?:can|could|would) you (?:please )?/i,
  /^(?:search|look|google|browse)(?: the (?:web|internet))? (?:for|up) /i,
  /^(?:find|get|give|show|tell)(?: me)? (?:(?:some |all |more )?(?:information|info|details|results) )?(?:about|on) /i,
  /^(?:suche?(?: bitte)?|finde?(?: bitte)?)(?: im (?:web|internet))? nach /i,
  /^(?:cherche[rz]?|recherche[rz]?)(?: sur (?:le web|internet))? /i,
  /^busca(?:r)?(?: en (?:la web|internet))? /i,
];

/**
 * Parses a query in the syntax of search engines. `site:`, `-site:`, `-term`, `after:` and `before:` become filters,
 * polite phrases at the start are removed, and `this year`, `last year` and `next year` are replaced by the year. The
 * rest stays unchanged.
 *
 * @param now - ms since the epoch.
 */
export function readQuery(query: string, now: number): ReadQuery {
  const kept: string[] = [];
  const phrases: string[] = [];
  const excludedTerms: string[] = [];
  const allowedDomains: string[] = [];
  const blockedDomains: string[] = [];
  let publishedAfter: string | undefined;
  let publishedBefore: string | undefined;
  for (const [whole, minus, phrase, word = ""] of query.matchAll(PART)) {
    if (phrase !== undefined) {
      const inside = phrase.replace(/\s+/g, " ").trim();
      if (inside === "") continue;
      if (minus === "-") excludedTerms.push(inside);
      else {
        phrases.push(inside);
        kept.push(`"${inside}"`);
      }
      continue;
    }
    const [, operator = "", value = ""] = OPERATOR.exec(word) ?? [];
    const domain = operator.toLowerCase() === "site" ? parseSite(value.replace(/^\*\./, "")) : undefined;
    if (domain !== undefined) (minus === "-" ? blockedDomains : allowedDomains).push(domain);
    else if (minus === "" && operator.toLowerCase() === "after" && startOf(value) !== undefined)
      publishedAfter = startOf(value);
    else if (minus === "" && operator.toLowerCase() === "before" && startOf(value) !== undefined) {
      publishedBefore = dayBefore(startOf(value) ?? "");
    } else if (minus === "-" && /^[\p{L}\p{N}]/u.test(word)) excludedTerms.push(word);
    else kept.push(whole);
  }
  const text = withYears(withoutNoise(kept.join(" ")), now);
  return {
    text,
    phrases,
    excludedTerms,
    allowedDomains: [...new Set(allowedDomains)],
    blockedDomains: [...new Set(blockedDomains)],
    ...defined({ publishedAfter, publishedBefore }),
  };
}

/** Returns the first day of a period such as `2026`, `2026-03` or `2026-03-04`. Slashes are also allowed. */
function startOf(value: string): string | undefined {
  const [, year, month = "01", day = "01"] = /^(\d{4})(?:[-/](\d{1,2})(?:[-/](\d{1,2}))?)?$/.exec(value) ?? [];
  if (year === undefined) return undefined;
  const date = `${year}-${month.padStart(2, "0")}-${day.padStart(2, "0")}`;
  const at = Date.parse(`${date}T00:00:00Z`);
  return !Number.isNaN(at) && new Date(at).toISOString().startsWith(date) ? date : undefined;
}

function dayBefore(date: string): string {
  return new Date(Date.parse(`${date}T00:00:00Z`) - 86_400_000).toISOString().slice(0, 10);
}

function withoutNoise(text: string): string {
  let rest = text;
  for (const noise of NOISE) {
    const shorter = rest.replace(noise, "");
    if (shorter.trim() !== "") rest = shorter;
  }
  let end = rest.length;
  while (rest.charAt(end - 1) === "?") end -= 1;
  return rest.slice(0, end).trim() || text;
}

function withYears(text: string, now: number): string {
  const year = new Date(now).getUTCFullYear();
  const offsets: Readonly<Record<string, number>> = { last: -1, this: 0, next: 1 };
  const parts = text.split('"');
  // Quoted text stays verbatim.
  return parts
    .map((part, index) => {
      if ((parts.length - 1 - index) % 2 === 1) return part;
      return part.replace(/\b(last|this|next) year\b/gi, (whole, which: string) => {
        const offset = offsets[which.toLowerCase()];
        return offset === undefined ? whole : String(year + offset);
      });
    })
    .join('"');
}
