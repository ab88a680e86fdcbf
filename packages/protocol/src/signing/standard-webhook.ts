import { YagateError } from "../errors/yagate-error.ts";
import { decodeBase64 } from "./base64.ts";
import { assertReceivedBytes, assertSigned, signaturesOf } from "./signed-text.ts";
import { assertSendable, decodedKeysOf } from "./signing-keys.ts";

/** Names of the Standard Webhooks headers. */
export const STANDARD_WEBHOOK_HEADERS = {
  id: "webhook-id",
  timestamp: "webhook-timestamp",
  signature: "webhook-signature",
} as const;

/** Everything that a Standard Webhooks signature covers. */
export interface StandardWebhook {
  /** Value of `webhook-id`: letters, digits, `_` and `-`. */
  readonly id: string;
  /** Value of `webhook-timestamp`: whole seconds since the epoch. */
  readonly timestampSeconds: number;
  /** The exact bytes to send. */
  readonly body: Uint8Array;
}

/** The three headers of one request, as received. */
export type StandardWebhookHeaders = Readonly<Record<keyof typeof STANDARD_WEBHOOK_HEADERS, string | null | undefined>>;

const ID_SHAPE = /^[A-Za-z0-9_-]+$/;
const TIMESTAMP_SHAPE = /^\d{1,12}$/;
const LABEL = "v1,";
const DIGEST_BYTES = 32;
/**
 * Maximum number of entries, which limits the work that an unverified header can cause. It allows for eight secrets
 * that each sign in two versions of the scheme.
 */
const MAX_SIGNATURES = 20;

/**
 * Signs a call for receivers that use a Standard Webhooks library: HMAC-SHA256 over `<id>.<timestamp>.<body>`, keyed
 * with the decoded part of each secret.
 *
 * @param secrets - signing secrets (`whsec_…`), newest first, 1 to 8.
 * @returns the value of `webhook-signature`: `v1,<base64>` for each secret, joined by spaces.
 * @throws {@link YagateError} `SECRET_INVALID`; `PAYLOAD_INVALID` if the id or the timestamp is invalid or the body is
 *   not bytes.
 * @see https://www.standardwebhooks.com
 */
export async function signStandardWebhook(webhook: StandardWebhook, secrets: readonly string[]): Promise<string> {
  return signWebhook(webhook, secrets);
}

/** Does the same as {@link signStandardWebhook}, but returns a promise only if the runtime's HMAC is asynchronous. */
export function signWebhook(webhook: StandardWebhook, secrets: readonly string[]): string | Promise<string> {
  const { id, timestampSeconds, body } = webhook;
  assertSendable(secrets);
  // If the id contained a dot, part of it could be read as the timestamp.
  if (typeof id !== "string" || !ID_SHAPE.test(id)) {
    throw new YagateError("PAYLOAD_INVALID", "expected a webhook id that contains only letters, digits, _ and -");
  }
  if (!Number.isSafeInteger(timestampSeconds) || timestampSeconds < 0) {
    throw new YagateError("PAYLOAD_INVALID", "expected timestampSeconds as whole seconds since the epoch");
  }
  const text = { prefix: `${id}.${timestampSeconds}.`, body };
  const signatures = signaturesOf(decodedKeysOf(secrets), text, "base64");
  return "then" in signatures ? signatures.then(formatSignatures) : formatSignatures(signatures);
}

function formatSignatures(signatures: readonly string[]): string {
  return signatures.map((signature) => `${LABEL}${signature}`).join(" ");
}

/**
 * Verifies the Standard Webhooks signature of a request: at least one `v1` entry must be valid under one of the
 * secrets. Entries of other versions are skipped. The function does not check the age of the request: compare the
 * returned time with your clock.
 *
 * @param headers - `webhook-id`, `webhook-timestamp` and `webhook-signature`, which may have at most 20 entries.
 * @param body - the exact bytes received.
 * @param secrets - the accepted signing secrets (`whsec_…`), at least one.
 * @returns `webhook-timestamp`, in seconds since the epoch.
 * @throws {@link YagateError} the codes of `verifySignature`.
 * @see https://www.standardwebhooks.com
 */
export async function verifyStandardWebhook(
  headers: StandardWebhookHeaders,
  body: Uint8Array,
  secrets: readonly string[],
): Promise<number> {
  const keys = decodedKeysOf(secrets);
  assertReceivedBytes(body);
  const { id, timestamp, signature } = headers;
  if (!id || !timestamp || !signature) {
    throw new YagateError(
      "SIGNATURE_MISSING",
      `expected the headers ${Object.values(STANDARD_WEBHOOK_HEADERS).join(", ")}`,
    );
  }
  const digests = parseSignatures(signature);
  if (!ID_SHAPE.test(id) || !TIMESTAMP_SHAPE.test(timestamp) || digests.length === 0) {
    throw new YagateError(
      "SIGNATURE_MALFORMED",
      `expected webhook-id as letters, digits, _ and -, webhook-timestamp as whole seconds, and webhook-signature as 1 to ${MAX_SIGNATURES} entries, at least one of them v1 with the base64 of 32 bytes`,
    );
  }
  await assertSigned(keys, { prefix: `${id}.${timestamp}.`, body }, digests);
  return Number(timestamp);
}

function parseSignatures(signature: string): readonly Uint8Array[] {
  const entries = signature.split(" ", MAX_SIGNATURES + 1);
  if (entries.length > MAX_SIGNATURES) return [];
  return entries
    .filter((entry) => entry.startsWith(LABEL))
    .flatMap((entry) => {
      const digest = decodeBase64(entry.slice(LABEL.length));
      return digest?.byteLength === DIGEST_BYTES ? [digest] : [];
    });
}
