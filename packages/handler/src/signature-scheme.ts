import {
  SIGNATURE_HEADER,
  STANDARD_WEBHOOK_HEADERS,
  type StandardWebhookHeaders,
  verifySignature,
  verifyStandardWebhook,
  YagateError,
} from "@yagate/protocol/calls";
import { assertFresh } from "./call-checks.ts";
import { type HeaderSource, readHeader } from "./read-header.ts";

/**
 * Which headers authenticate a call: `X-YA-Signature`, or the three Standard Webhooks headers. The headers of the other
 * scheme are ignored, so they cannot make an invalid call valid.
 */
export type SignatureScheme = "yagate" | "standard-webhooks";

/** The rules by which the signature of a call is verified. */
export interface SignatureRules {
  readonly signatureScheme: SignatureScheme;
  readonly toleranceSeconds: number;
  /** The clock, in ms since the epoch. */
  readonly now: () => number;
}

/** Checks a scheme. Throws `INVALID_REQUEST` if it is unknown. */
export function assertScheme(scheme: SignatureScheme): void {
  if (scheme === "yagate" || scheme === "standard-webhooks") return;
  throw new YagateError("INVALID_REQUEST", "signatureScheme: expected yagate or standard-webhooks");
}

/** Returns the header that contains the signatures. */
export function signatureOf(headers: HeaderSource, scheme: SignatureScheme): string | undefined {
  return readHeader(headers, scheme === "yagate" ? SIGNATURE_HEADER : STANDARD_WEBHOOK_HEADERS.signature);
}

/** Returns the headers of Standard Webhooks. */
export function webhookHeadersOf(headers: HeaderSource): StandardWebhookHeaders {
  const { id, timestamp, signature } = STANDARD_WEBHOOK_HEADERS;
  return {
    id: readHeader(headers, id),
    timestamp: readHeader(headers, timestamp),
    signature: readHeader(headers, signature),
  };
}

/**
 * Verifies the signature of a body. For Standard Webhooks, also checks the age of the call, by the timestamp in the
 * headers.
 *
 * @throws {@link YagateError} all codes of `verifySignature`; `TIMESTAMP_TOO_OLD`, `TIMESTAMP_IN_FUTURE`.
 */
export function verifyHeaders(
  headers: HeaderSource,
  body: Uint8Array,
  secrets: readonly string[],
  rules: SignatureRules,
): Promise<void> {
  if (rules.signatureScheme === "yagate") return verifySignature(readHeader(headers, SIGNATURE_HEADER), body, secrets);
  return verifyWebhookHeaders(headers, body, secrets, rules);
}

async function verifyWebhookHeaders(
  headers: HeaderSource,
  body: Uint8Array,
  secrets: readonly string[],
  { toleranceSeconds, now }: SignatureRules,
): Promise<void> {
  const timestampSeconds = await verifyStandardWebhook(webhookHeadersOf(headers), body, secrets);
  assertFresh(timestampSeconds * 1000, now(), toleranceSeconds);
}
