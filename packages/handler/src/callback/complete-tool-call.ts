import { isObject } from "@yagate/lib/json/json-object";
import { signCallback, YagateError } from "@yagate/protocol/calls";
import { assertKnownKeys } from "../known-keys.ts";
import { pause } from "../pause.ts";
import { type SigningSecrets, secretsOf, toSecretSource } from "../signing-secrets.ts";
import { type LateOutcome, outcomeBody } from "./outcome-body.ts";
import { type CallbackPost, postCallback } from "./post-callback.ts";
import type { ToolCallback } from "./tool-callback.ts";

const DEFAULT_TIMEOUT_MS = 60_000;
const MAX_TIMEOUT_MS = 3_600_000;
const FIRST_DELAY_MS = 250;
const MAX_DELAY_MS = 5_000;

/** Options for {@link completeToolCall}. */
export interface CompleteOptions {
  /**
   * The signing secrets of the handler that received the call, newest first, 1 to 8. Default: `YAGATE_SIGNING_SECRET`.
   */
  readonly secrets?: SigningSecrets;
  /** Time limit for all attempts together, in ms: 1 to 3,600,000. Default 60,000. */
  readonly timeoutMs?: number | undefined;
  /** Aborting this signal stops the delivery. */
  readonly signal?: AbortSignal | undefined;
  /** The function that sends the requests. Default: the global `fetch`. */
  readonly fetch?: typeof fetch | undefined;
}

/**
 * Delivers the result of a call that `context.defer()` postponed. Any process can deliver it, at any time until the
 * callback expires.
 *
 * Signs the body once and sends the same bytes until the gateway accepts them: it repeats the request after network
 * errors, 408, 425, 429 and 5xx, with increasing delays or after the time in `Retry-After`. It is safe to repeat the
 * complete job, because delivering the same outcome twice succeeds and changes nothing.
 *
 * @param callback - the return value of `context.defer()`.
 * @param outcome - `{ result }` with any JSON value, or `{ error }` with a {@link ToolError} or an object with its
 *   fields.
 * @throws {@link YagateError} `SECRET_INVALID`; `INVALID_REQUEST`, `MALFORMED_JSON` (nothing was sent, or the gateway
 *   cannot parse it); `UNAUTHENTICATED` (the token belongs to another call); `CONFLICT` (another outcome was delivered
 *   first); `GONE` (the call has expired, was cancelled or has ended); `BODY_TOO_LARGE`; `SIGNATURE_MISSING`,
 *   `SIGNATURE_MISMATCH`; `REDIRECT_REFUSED`; `CONNECTION_FAILED` and `UNAVAILABLE` (the last failure before the time
 *   limit).
 */
export async function completeToolCall(
  callback: Pick<ToolCallback, "url" | "token" | "toolCallId">,
  outcome: LateOutcome,
  options: CompleteOptions = {},
): Promise<void> {
  assertObject("callback", callback, "the return value of defer()");
  assertObject("options", options, "{ secrets }");
  assertKnownKeys("completeToolCall", options, ["secrets", "timeoutMs", "signal", "fetch"]);
  const { timeoutMs = DEFAULT_TIMEOUT_MS, signal } = options;
  if (!(timeoutMs >= 1 && timeoutMs <= MAX_TIMEOUT_MS)) {
    throw new YagateError("INVALID_REQUEST", `timeoutMs: expected a number, 1 to ${MAX_TIMEOUT_MS}`);
  }
  assertCallback(callback);
  const body = outcomeBody(outcome);
  const secrets = await toSecretSource(secretsOf(options))();
  const signature = await signCallback({ toolCallId: callback.toolCallId, body }, secrets);
  signal?.throwIfAborted();
  const over = new AbortController();
  const stop = () => over.abort();
  const timer = setTimeout(stop, timeoutMs);
  signal?.addEventListener("abort", stop, { once: true });
  try {
    await postUntilTaken({ callback, body, signature, fetch: options.fetch ?? fetch }, over.signal, timeoutMs);
  } catch (error) {
    signal?.throwIfAborted();
    throw error;
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", stop);
  }
}

async function postUntilTaken(post: CallbackPost, over: AbortSignal, timeoutMs: number): Promise<void> {
  const endsAtMs = performance.now() + timeoutMs;
  for (let retry = 1; ; retry += 1) {
    const failed = await postCallback(post, over);
    if (failed === undefined) return;
    const jitterMs = Math.random() * Math.min(MAX_DELAY_MS, FIRST_DELAY_MS * 2 ** retry);
    const delayMs = Math.max(failed.retryAfterMs ?? 0, jitterMs);
    // A longer wait would only delay the code that handles the failure.
    if (over.aborted || performance.now() + delayMs >= endsAtMs) throw failed.error;
    await pause(delayMs, over);
    if (over.aborted) throw failed.error;
  }
}

function assertCallback({ url, token, toolCallId }: Pick<ToolCallback, "url" | "token" | "toolCallId">): void {
  if (!isHttpUrl(url)) throw new YagateError("INVALID_REQUEST", "callback.url: expected an http or https URL");
  // A value that a header cannot contain would otherwise look like a network error.
  if (typeof token !== "string" || !/^[\x21-\x7e]+$/.test(token)) {
    throw new YagateError("INVALID_REQUEST", "callback.token: expected the token of the call");
  }
  if (typeof toolCallId !== "string" || !/^tc_[\w-]+$/.test(toolCallId)) {
    throw new YagateError("INVALID_REQUEST", "callback.toolCallId: expected an id that starts with tc_");
  }
}

/** Rejects a value that is not an object. Code that is not type-checked would otherwise get a TypeError. */
function assertObject(name: string, value: unknown, expected: string): void {
  if (isObject(value)) return;
  throw new YagateError("INVALID_REQUEST", `${name}: expected ${expected}`);
}

function isHttpUrl(url: unknown): boolean {
  return typeof url === "string" && URL.canParse(url) && /^https?:$/.test(new URL(url).protocol);
}
