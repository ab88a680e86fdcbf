import type { SearchQuery } from "../port.ts";

/**
 * Maximum number of operators. Services reject or cut queries with more. Filters that do not fit are applied to the
 * response.
 */
const MAX_OPERATORS = 6;
const MAX_CHARACTERS = 400;

/**
 * Returns the query with its filters in the syntax of web search engines: `text (site:a.example OR site:b.example)
 * -word -site:c.example`.
 */
export function withOperators({ text, allowedDomains, blockedDomains, excludedTerms = [] }: SearchQuery): string {
  const sites = allowedDomains.slice(0, MAX_OPERATORS + 1).map((domain) => `site:${domain}`);
  // A partial list would exclude matches that the complete list allows.
  const allowed = allowedDomains.length > MAX_OPERATORS || sites.length === 0 ? "" : ` ${grouped(sites)}`;
  let query = fits(text + allowed) ? text + allowed : text;
  const without = [
    ...excludedTerms.slice(0, MAX_OPERATORS).map((term) => (/\s/.test(term) ? `"${term}"` : term)),
    ...blockedDomains.slice(0, MAX_OPERATORS).map((domain) => `site:${domain}`),
  ];
  for (const part of without) {
    const longer = `${query} -${part}`;
    if (fits(longer)) query = longer;
  }
  return query;
}

function grouped(sites: readonly string[]): string {
  return sites.length === 1 ? sites.join("") : `(${sites.join(" OR ")})`;
}

function fits(query: string): boolean {
  return query.length <= MAX_CHARACTERS;
}
