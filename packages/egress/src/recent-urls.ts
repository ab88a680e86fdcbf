import { LRUCache } from "lru-cache";
import type { Destination } from "./destination.ts";

const MAX_URLS = 1_024;
/** Longer ones are rarely asked for twice, and would take much room. */
const MAX_LENGTH = 512;

/**
 * Remembers what was made of the URLs of late. Only the text decides about them, and the policy of a guard never
 * changes; their addresses are judged for each connection anew.
 *
 * @param parse - throws for a URL that is refused, which is not remembered.
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
