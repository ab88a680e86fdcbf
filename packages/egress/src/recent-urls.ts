import { LRUCache } from "lru-cache";
import type { Destination } from "./destination.ts";

const MAX_URLS = 1_024;
/** Maximum length of a cached URL. Longer URLs are rarely requested twice, and would take up too much memory. */
const MAX_LENGTH = 512;

/**
 * Caches the results of parsing recent URLs. A result depends only on the text, because the policy of a guard never
 * changes; addresses are checked again for each connection.
 *
 * @param parse - throws for a blocked URL, which is not cached.
 */
export function rememberUrls(parse: (url: string) => Destination): (url: string) => Destination {
  const known = new LRUCache<string, Destination>({ max: MAX_URLS });
  return (url) => {
    const found = known.get(url);
    if (found !== undefined) {
      return found;
    }
    const destination = parse(url);
    if (url.length <= MAX_LENGTH) {
      known.set(url, destination);
    }
    return destination;
  };
}
