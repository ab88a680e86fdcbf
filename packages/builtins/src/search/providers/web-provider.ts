import { EgressError, type EgressGuard, type EgressResponse } from "@yagate/egress";
import { parseRetryAfter } from "@yagate/lib/http/retry-after";
import { isRetryableStatus } from "@yagate/lib/http/retryable-status";
import { parse as parseJson } from "secure-json-parse";
import {
  type SearchContext,
  SearchFailure,
  type SearchFailureReason,
  type SearchHit,
  type SearchProvider,
  type SearchQuery,
} from "../port.ts";
import type { WireFailure, WireFormat, WireRequest } from "./wire-format.ts";

const MAX_ANSWER_BYTES = 4 * 1024 * 1024;

/** Dependencies of {@link createWebProvider}. */
export interface WebProviderOptions {
  /** A guard that allows the operator's allowlisted networks, because the operator configured these URLs. */
  readonly egress: EgressGuard;
  /** Returns the current time in ms since the epoch. */
  readonly now: () => number;
  readonly maxAnswerBytes?: number;
}

/** Creates a provider that searches with a service on the network. Its failures never contain text from the service. */
export function createWebProvider(format: WireFormat, options: WebProviderOptions): SearchProvider {
  return {
    name: format.name,
    corpus: "web",
    async search(query, context) {
      const hits: SearchHit[] = [];
      let requests = 0;
      for (const request of format.requests(query)) {
        const page = await ask(format, request, query, context, options).catch((error: unknown) => {
          throw error instanceof SearchFailure ? withEarlier(error, requests) : error;
        });
        hits.push(...page);
        requests += 1;
        if (page.length < format.pageSize) break;
      }
      return { hits: hits.slice(0, query.maxResults), requests };
    },
    async close() {},
  };
}

/** Adds the requests for earlier pages to those of a failure, because they are billed as well. */
function withEarlier(failure: SearchFailure, earlier: number): SearchFailure {
  if (earlier === 0) return failure;
  const { reason, message, cause, retryAfterMs, requests, isUnknown } = failure;
  const wait = retryAfterMs === undefined ? {} : { retryAfterMs };
  return new SearchFailure(reason, message, { cause, ...wait, requests: requests + earlier, isUnknown });
}

async function ask(
  format: WireFormat,
  request: WireRequest,
  query: SearchQuery,
  context: SearchContext,
  options: WebProviderOptions,
): Promise<readonly SearchHit[]> {
  const response = await send(format.name, request, context, options);
  const { status } = response;
  const body = jsonOf(response.body);
  if (status < 200 || status >= 300) {
    const headers = Object.fromEntries(Object.entries(response.headers).map(([name, value]) => [name, String(value)]));
    throw failureOfStatus(format, { status, body, headers }, options.now());
  }
  if (body === undefined) throw failureOf(format.name, "bad_answer", { detail: "expected JSON" });
  try {
    return format.hits(body, query);
  } catch (error) {
    if (error instanceof SearchFailure) throw error;
    throw failureOf(format.name, "bad_answer", { cause: error, detail: "expected a list of results" });
  }
}

async function send(
  name: string,
  { method, url, headers, body }: WireRequest,
  { deadline, signal }: SearchContext,
  { egress, now, maxAnswerBytes = MAX_ANSWER_BYTES }: WebProviderOptions,
): Promise<EgressResponse> {
  const timeoutMs = Math.floor(deadline - now());
  if (signal.aborted) throw failureOf(name, "aborted", { isUnknown: false });
  if (timeoutMs < 1)
    throw failureOf(name, "unavailable", { detail: "no time was left for the request", isUnknown: false });
  const content = body === undefined ? {} : { "content-type": "application/json" };
  try {
    return await egress.request({
      method,
      url,
      headers: { accept: "application/json", ...content, ...headers },
      ...(body === undefined ? {} : { body: new TextEncoder().encode(JSON.stringify(body)) }),
      timeoutMs,
      maxResponseBytes: maxAnswerBytes,
      signal,
    });
  } catch (error) {
    throw failureOfEgress(name, error);
  }
}

function failureOfEgress(name: string, error: unknown): SearchFailure {
  if (!(error instanceof EgressError)) return failureOf(name, "unavailable", { cause: error });
  if (error.code === "CANCELLED") return failureOf(name, "aborted", { cause: error });
  if (error.code === "TIMEOUT")
    return failureOf(name, "unavailable", { cause: error, detail: "it did not respond in time" });
  if (error.code === "RESPONSE_TOO_LARGE") {
    return failureOf(name, "bad_answer", { cause: error, detail: "the response is too large" });
  }
  if (error.code === "URL_BLOCKED" || error.code === "DNS_BLOCKED" || error.code === "INVALID_ARGUMENTS") {
    const detail = "the gateway may not send requests to its address";
    return failureOf(name, "misconfigured", { cause: error, detail });
  }
  return failureOf(name, error.code === "INVALID_RESPONSE" ? "bad_answer" : "unavailable", { cause: error });
}

function jsonOf(bytes: Uint8Array): unknown {
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    return parseJson(text, undefined, { protoAction: "remove", constructorAction: "remove" });
  } catch {
    return undefined;
  }
}

/**
 * Describes each kind of failure for people and models. The message contains no text from the service, because that
 * could contain the key.
 */
const MESSAGES: Readonly<Record<SearchFailureReason, string>> = {
  misconfigured: "rejected its key or settings",
  rejected: "rejected this query",
  rate_limited: "received too many requests",
  quota_exhausted: "has no quota left",
  unavailable: "is currently unavailable",
  bad_answer: "returned an invalid response",
  aborted: "was cancelled",
};

/** Creates the failure of a provider. */
export function failureOf(
  provider: string,
  reason: SearchFailureReason,
  options: ErrorOptions & {
    readonly retryAfterMs?: number;
    readonly detail?: string;
    readonly isUnknown?: boolean;
  } = {},
): SearchFailure {
  const { detail, ...rest } = options;
  return new SearchFailure(
    reason,
    `${provider} ${MESSAGES[reason]}${detail === undefined ? "" : ` (${detail})`}`,
    rest,
  );
}

/** Creates the failure for an unsuccessful response. @param now - ms since the epoch. */
function failureOfStatus(format: WireFormat, failure: WireFailure, now: number): SearchFailure {
  const told = format.failure?.(failure) ?? {};
  const reason = told.reason ?? reasonOfStatus(failure.status);
  const askedMs = parseRetryAfter(failure.headers["retry-after"], now);
  const waitMs = askedMs === undefined ? told.retryAfterMs : Math.min(askedMs, LONGEST_WAIT_MS);
  const waits = waitMs === undefined || !isPassing(reason) ? {} : { retryAfterMs: waitMs };
  const remedy = told.remedy === undefined ? "" : `: ${told.remedy}`;
  return failureOf(format.name, reason, { ...waits, detail: `status ${failure.status}${remedy}` });
}

function isPassing(reason: SearchFailureReason): boolean {
  return reason === "rate_limited" || reason === "quota_exhausted" || reason === "unavailable";
}

/** The longest plausible delay: that of a monthly quota. */
const LONGEST_WAIT_MS = 31 * 86_400_000;

function reasonOfStatus(status: number): SearchFailureReason {
  if (status === 401 || status === 403 || status === 404) return "misconfigured";
  if (status === 402) return "quota_exhausted";
  if (status === 429) return "rate_limited";
  if (isRetryableStatus(status)) return "unavailable";
  // Redirects are not followed, because the operator should configure the final URL.
  if (status >= 300 && status < 400) return "misconfigured";
  return status >= 400 ? "rejected" : "bad_answer";
}
