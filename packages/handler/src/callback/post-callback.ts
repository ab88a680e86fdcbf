import { parseRetryAfter } from "@yagate/lib/http/retry-after";
import { isRetryableStatus } from "@yagate/lib/http/retryable-status";
import { SIGNATURE_HEADER, YagateError } from "@yagate/protocol/calls";
import { discardBody } from "./discard-body.ts";
import { toRefusal } from "./refusal.ts";
import type { ToolCallback } from "./tool-callback.ts";

/** Time limit of one request, so that a dead connection does not use up the time limit of the delivery. */
const TRY_TIMEOUT_MS = 15_000;

/** The request, which is the same in every attempt. */
export interface CallbackPost {
  readonly callback: Pick<ToolCallback, "url" | "token">;
  readonly body: Uint8Array<ArrayBuffer>;
  readonly signature: string;
  readonly fetch: typeof fetch;
}

/** A failed request that may be repeated. */
export interface FailedTry {
  readonly error: YagateError;
  /** The delay that the gateway requested, in ms. */
  readonly retryAfterMs: number | undefined;
}

/**
 * Posts a result once.
 *
 * @returns undefined if the gateway accepted the result; otherwise a failure after which the request may be repeated.
 * @throws {@link YagateError} if a repetition would get the same response.
 */
export async function postCallback(post: CallbackPost, signal: AbortSignal): Promise<FailedTry | undefined> {
  const over = new AbortController();
  const stop = () => over.abort();
  const timer = setTimeout(stop, TRY_TIMEOUT_MS);
  signal.addEventListener("abort", stop);
  try {
    return await send(post, over.signal).then(judge, toUnreachable);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", stop);
  }
}

async function send({ callback, body, signature, fetch }: CallbackPost, signal: AbortSignal): Promise<Response> {
  return fetch(callback.url, {
    method: "POST",
    headers: {
      authorization: `Bearer ${callback.token}`,
      "content-type": "application/json",
      [SIGNATURE_HEADER]: signature,
    },
    body,
    // Following a redirect would send the result and the token to another server.
    redirect: "manual",
    signal,
  });
}

function toUnreachable(cause: unknown): FailedTry {
  const error = new YagateError("CONNECTION_FAILED", "the callback's URL could not be reached", {
    cause,
    hint: "check that this service can reach the gateway at its public URL",
  });
  return { error, retryAfterMs: undefined };
}

async function judge(response: Response): Promise<FailedTry | undefined> {
  const { status, ok, type } = response;
  if (ok) return void discardBody(response);
  if (type === "opaqueredirect" || (status >= 300 && status < 400)) {
    discardBody(response);
    throw new YagateError("REDIRECT_REFUSED", "the callback's URL redirects, and redirects are not followed", {
      hint: "set the gateway's public URL to the final URL",
    });
  }
  if (!isRetryableStatus(status)) throw await toRefusal(response);
  discardBody(response);
  const error = new YagateError("UNAVAILABLE", `the callback failed with status ${status}`);
  return { error, retryAfterMs: parseRetryAfter(response.headers.get("retry-after"), Date.now()) };
}
