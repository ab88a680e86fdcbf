import { DEFAULT_TOLERANCE_SECONDS, MAX_CALL_BODY_BYTES, type ToolCall } from "@yagate/protocol/calls";
import { assertAudience, assertFresh } from "./call-checks.ts";
import { openCall } from "./open-call.ts";
import type { HeaderSource } from "./read-header.ts";
import { assertScheme, type SignatureScheme } from "./signature-scheme.ts";
import { type SigningSecrets, secretsOf, toSecretSource, toSecrets } from "./signing-secrets.ts";

/** An HTTP request as received. */
export interface SignedRequest {
  readonly headers: HeaderSource;
  /** The exact bytes of the body: not decoded text, and not JSON that was parsed and serialised again. */
  readonly body: Uint8Array;
}

/** Options for {@link verifyCall}. */
export interface VerifyOptions {
  /** The accepted signing secrets, newest first, 1 to 8. Default: the environment variable `YAGATE_SIGNING_SECRET`. */
  readonly secrets?: SigningSecrets;
  /**
   * The handler's URL, exactly as it is saved in the tool. A call for another URL, or without a URL, is rejected.
   * Default: calls for any URL are accepted.
   */
  readonly audience?: string | undefined;
  /** How far a call's timestamp may be in the past or in the future, in seconds, inclusive. Default 300. */
  readonly toleranceSeconds?: number | undefined;
  /** The clock, in ms since the epoch. Default `Date.now`. */
  readonly now?: (() => number) | undefined;
  /** Which headers are verified. Default `yagate`: X-YA-Signature. */
  readonly signatureScheme?: SignatureScheme | undefined;
}

/**
 * Verifies one signed call and parses it. Runs no tool and does not remember calls: a replay within the tolerance is
 * accepted, so deduplicate calls by `toolCallId` if you use this function alone. `createHandler` does this for you.
 *
 * The checks are made in this order: size (1 MiB), signature, UTF-8, JSON, fields, age, audience.
 *
 * @returns the body of the call, including fields that a newer gateway adds.
 * @throws {@link YagateError} `SECRET_INVALID`, `BODY_TOO_LARGE`, `BODY_ALREADY_PARSED` (the body is not bytes),
 *   `SIGNATURE_MISSING`, `SIGNATURE_MALFORMED`, `SIGNATURE_MISMATCH`, `PAYLOAD_INVALID` (including a call for another
 *   audience), `TIMESTAMP_TOO_OLD`, `TIMESTAMP_IN_FUTURE`.
 */
export async function verifyCall(request: SignedRequest, options: VerifyOptions = {}): Promise<ToolCall> {
  const {
    audience,
    toleranceSeconds = DEFAULT_TOLERANCE_SECONDS,
    now = Date.now,
    signatureScheme = "yagate",
  } = options;
  assertScheme(signatureScheme);
  const secrets = secretsOf(options);
  const accepted = typeof secrets === "function" ? await toSecretSource(secrets)() : toSecrets(secrets);
  const rules = { signatureScheme, toleranceSeconds, now, maxBodyBytes: MAX_CALL_BODY_BYTES };
  const call = await openCall(request.headers, request.body, accepted, rules);
  assertFresh(Date.parse(call.timestamp), now(), toleranceSeconds);
  assertAudience(call, audience);
  return call;
}
