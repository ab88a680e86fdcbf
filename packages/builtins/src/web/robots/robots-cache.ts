import type { EgressGuard } from "@yagate/egress";
import { LRUCache } from "lru-cache";
import { followPage } from "../fetching/follow-page.ts";
import { PageError, type PageRequest } from "../port.ts";
import { ALL_ALLOWED, parseRobots, type RobotsRules } from "./robots-rules.ts";

/** Number of bytes of robots.txt that are parsed: the minimum that RFC 9309 §2.5 requires. */
const MAX_BYTES = 500 * 1024;
/** Maximum age of cached rules: one day, as in RFC 9309 §2.4. */
const MAX_AGE_MS = 86_400_000;
/** Maximum age of a cached failure to reach robots.txt. Shorter, because the site may soon be reachable again. */
const MAX_UNREACHABLE_AGE_MS = 300_000;
const MAX_SITES = 1_000;
const MAX_CHARACTERS = 8 * 1024 * 1024;
const MAX_ASKING_MS = 10_000;

/** Caches the robots.txt rules of sites. */
export interface RobotsCache {
  /**
   * Checks whether a site's robots.txt allows a URL. `unreachable`: the file could not be fetched, which RFC 9309
   * treats as disallowed.
   *
   * @throws PageError for a host that must not be visited, or if no time is left.
   */
  judge(url: URL, request: Pick<PageRequest, "deadline" | "signal" | "refusalOf">): Promise<RobotsVerdict>;
}

export type RobotsVerdict = "allowed" | "disallowed" | "unreachable";

/** Permanent errors. The request for the page itself will fail with the same error and a better message. */
const SAME_FOR_PAGE: ReadonlySet<string> = new Set(["URL_BLOCKED", "DNS_BLOCKED", "INVALID_ARGUMENTS", "TLS_ERROR"]);

interface Entry {
  readonly rules: RobotsRules | "unreachable";
  readonly until: number;
}

interface RobotsCacheOptions {
  readonly egress: EgressGuard;
  readonly now: () => number;
  readonly product: string;
  readonly headers: Readonly<Record<string, string>>;
}

export function createRobotsCache({ egress, now, product, headers }: RobotsCacheOptions): RobotsCache {
  // One entry for each site. The least recently used entry is evicted.
  const entries = new LRUCache<string, Entry>({
    max: MAX_SITES,
    maxSize: MAX_CHARACTERS,
    sizeCalculation: ({ rules }, origin) => origin.length + (rules === "unreachable" ? 0 : rules.characters),
  });

  async function ask(origin: string, request: Parameters<RobotsCache["judge"]>[1]): Promise<Entry> {
    const { deadline, signal, refusalOf } = request;
    const startedAt = now();
    const unreachable = (): Entry => ({ rules: "unreachable", until: now() + MAX_UNREACHABLE_AGE_MS });
    const known = (rules: RobotsRules): Entry => ({ rules, until: now() + MAX_AGE_MS });
    let hops = 0;
    let isRefused = false;
    try {
      const { status, body } = await followPage(egress, {
        url: `${origin}/robots.txt`,
        headers,
        maxBytes: MAX_BYTES,
        onTooLarge: "cut",
        remainingMs: () => Math.min(deadline, startedAt + MAX_ASKING_MS) - now(),
        signal,
        async beforeVisit(url) {
          hops += 1;
          const refusal = refusalOf?.(url);
          if (refusal === undefined) return;
          isRefused = true;
          throw refusal;
        },
      });
      if (status >= 200 && status < 300) return known(parseRobots(new TextDecoder().decode(body), product));
      return status >= 500 ? unreachable() : known(ALL_ALLOWED);
    } catch (error) {
      if (!(error instanceof PageError)) throw error;
      if (error.code === "CANCELLED" || (error.code === "TIMEOUT" && now() >= deadline)) throw error;
      if (hops === 1 && SAME_FOR_PAGE.has(error.code)) throw error;
      // RFC 9309 §2.3.1.2: too many redirects count as a missing file.
      if (error.code === "REDIRECT_REFUSED") return known(ALL_ALLOWED);
      // This restriction applies to one agent only, so the entry is not cached.
      return isRefused ? { rules: "unreachable", until: 0 } : unreachable();
    }
  }

  return {
    async judge(url, request) {
      const { origin, pathname, search } = url;
      const kept = entries.get(origin);
      const entry = kept !== undefined && kept.until > now() ? kept : await ask(origin, request);
      if (entry !== kept && entry.until > now()) entries.set(origin, entry);
      if (pathname === "/robots.txt") return "allowed";
      if (entry.rules === "unreachable") return "unreachable";
      return entry.rules.allows(pathname + search) ? "allowed" : "disallowed";
    },
  };
}
