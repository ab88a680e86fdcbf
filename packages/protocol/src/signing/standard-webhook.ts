import { YagateError } from "../errors/yagate-error.ts";
import { signaturesOf } from "./signed-text.ts";
import { assertSendable, decodedKeysOf } from "./signing-keys.ts";

/** Names of the headers that Standard Webhooks libraries read. */
export const STANDARD_WEBHOOK_HEADERS = {
  id: "webhook-id",
  timestamp: "webhook-timestamp",
  signature: "webhook-signature",
} as const;

/** What a Standard Webhooks signature covers. */
export interface StandardWebhook {
  /** Value of `webhook-id`: letters, digits, `_` and `-`. */
  readonly id: string;
  /** Value of `webhook-timestamp`: whole seconds since the epoch. */
  readonly timestampSeconds: number;
  /** The exact bytes that will be sent. */
  readonly body: Uint8Array;
}

const ID_SHAPE = /^[A-Za-z0-9_-]+$/;

/**
 * Signs a call for receivers that use a Standard Webhooks library: HMAC-SHA256 over `<id>.<timestamp>.<body>`, keyed
 * with the decoded part of each secret. For sending only: our own kit takes nothing from these headers.
 *
 * @param secrets - signing secrets (`whsec_…`), newest first, 1 to 8.
 * @returns the value of `webhook-signature`: `v1,<base64>` per secret, joined by a space.
 * @throws {@link YagateError} `SECRET_INVALID`, `PAYLOAD_INVALID`.
 * @see https://www.standardwebhooks.com
 */
export async function signStandardWebhook(webhook: StandardWebhook, secrets: readonly string[]): Promise<string> {
  const { id, timestampSeconds, body } = webhook;
  assertSendable(secrets);
  // A dot in the id would let a part of the id be read as the timestamp, and so on.
  if (typeof id !== "string" || !ID_SHAPE.test(id)) {
    throw new YagateError("PAYLOAD_INVALID", "a webhook id must be letters, digits, _ or -");
  }
  if (!Number.isSafeInteger(timestampSeconds) || timestampSeconds < 0) {
    throw new YagateError("PAYLOAD_INVALID", "timestampSeconds must be whole seconds since the epoch");
  }
  const text = { prefix: `${id}.${timestampSeconds}.`, body };
  const signatures = await signaturesOf(decodedKeysOf(secrets), text, "base64");
  return signatures.map((signature) => `v1,${signature}`).join(" ");
}
