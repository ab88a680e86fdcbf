import type { EgressGuard } from "@yagate/egress";
import { defined } from "@yagate/lib/objects/defined";
import { type DocumentReader, PageError, type PageFetcher, type PageRequest } from "../port.ts";
import { createRobotsCache } from "../robots/robots-cache.ts";
import { followPage } from "./follow-page.ts";
import { pageError, readingError, statusError } from "./page-failure.ts";

const DEFAULT_MAX_BYTES = 10_000_000;

const ACCEPT = [
  "text/html",
  "application/xhtml+xml",
  "application/pdf",
  "application/rss+xml;q=0.9",
  "application/atom+xml;q=0.9",
  "application/json;q=0.9",
  "application/xml;q=0.8",
  "text/*;q=0.8",
  "*/*;q=0.1",
].join(", ");

/** Dependencies of the page fetcher. */
export interface PageFetcherOptions {
  /** A guard without `allowCidrs`, because models and websites choose the URLs, not the operator. */
  readonly egress: EgressGuard;
  readonly reader: DocumentReader;
  /** Returns the current time in ms since the epoch. */
  readonly now: () => number;
  /** The user agent, in printable ASCII. The part before its first `/` selects the rules in robots.txt. */
  readonly userAgent?: string;
}

/**
 * Creates a page fetcher. It sends no cookies, credentials or referrer, caches only robots.txt, and follows up to 5
 * redirects.
 */
export function createPageFetcher({ egress, reader, now, userAgent = "Yagate" }: PageFetcherOptions): PageFetcher {
  const headers = { accept: ACCEPT, "accept-language": "*", "user-agent": userAgent };
  const [product = "Yagate"] = userAgent.split("/");
  const robots = createRobotsCache({ egress, now, product, headers: { ...headers, accept: "text/plain, */*;q=0.1" } });

  async function admit(url: URL, request: PageRequest): Promise<void> {
    const refusal = request.refusalOf?.(url);
    if (refusal !== undefined) throw refusal;
    if (request.respectRobots !== true || !isAskable(url)) return;
    const verdict = await robots.judge(url, request);
    if (verdict === "allowed") return;
    const why =
      verdict === "disallowed"
        ? "does not allow this page to be fetched"
        : "can't be fetched, so no page of the site may be fetched";
    throw new PageError("URL_BLOCKED", `the robots.txt of ${url.host} ${why}`, {
      isRetryable: verdict === "unreachable",
      hint: "don't try to get around that: use another page or another source",
    });
  }

  return {
    async fetch(request) {
      const { deadline, signal, maxCharacters, owner } = request;
      const remainingMs = () => deadline - now();
      const {
        url,
        status,
        body,
        responseBytes,
        headers: answered,
      } = await followPage(egress, {
        url: request.url,
        headers,
        maxBytes: request.maxBytes ?? DEFAULT_MAX_BYTES,
        remainingMs,
        signal,
        beforeVisit: (next) => admit(next, request),
      });
      if (status !== 200 && status !== 203) throw statusError(status);
      if (body.byteLength === 0) throw pageError("INVALID_RESPONSE", "the page is empty");
      const fetchedAt = now();
      const contentType = answered["content-type"];
      const inTime = AbortSignal.timeout(Math.max(1, Math.floor(remainingMs())));
      try {
        const document = await reader.read(
          { body, contentType: typeof contentType === "string" ? contentType : undefined, url },
          {
            ...defined({ maxCharacters, owner }),
            signal: AbortSignal.any([signal, inTime]),
          },
        );
        return { document, url, status, bytes: responseBytes, fetchedAt };
      } catch (error) {
        throw readingError(error, inTime.aborted && !signal.aborted);
      }
    },
  };
}

/** Returns whether robots.txt should be requested for a URL. The guard blocks all URLs for which it should not. */
function isAskable({ protocol, username, password }: URL): boolean {
  return (protocol === "https:" || protocol === "http:") && username === "" && password === "";
}
