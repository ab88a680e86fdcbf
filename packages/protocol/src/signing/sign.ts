import { YagateError } from "../errors/yagate-error.ts";
import { isBytes, signText } from "./signed-text.ts";
import { type StandardWebhook, signWebhook } from "./standard-webhook.ts";

/** Maximum size of the body of a signed call, in bytes: 1 MiB. */
export const MAX_CALL_BODY_BYTES = 1_048_576;

/**
 * Signs one attempt of a tool call: HMAC-SHA256 over the body, keyed with the text of the secret.
 *
 * @param body - the exact bytes to send; at most 1 MiB.
 * @param secrets - signing secrets as shown to the user (`whsec_…`), newest first, 1 to 8.
 * @returns the value of `X-YA-Signature`: `sha256=<64 hex digits>` for each secret, joined by commas.
 * @throws {@link YagateError} `SECRET_INVALID`; `BODY_TOO_LARGE`; `PAYLOAD_INVALID` if the body is not bytes.
 */
export async function sign(body: Uint8Array, secrets: readonly string[]): Promise<string> {
  return signBody(body, secrets);
}

/** Does the same as {@link sign}, but returns a promise only if the runtime's HMAC is asynchronous. */
export function signBody(body: Uint8Array, secrets: readonly string[]): string | Promise<string> {
  if (isBytes(body) && body.byteLength > MAX_CALL_BODY_BYTES) {
    throw new YagateError("BODY_TOO_LARGE", `expected a body of at most ${MAX_CALL_BODY_BYTES} bytes`);
  }
  return signText({ prefix: "", body }, secrets);
}

/** The two signatures of one attempt of a tool call. */
export interface AttemptSignatures {
  /** Value of `X-YA-Signature`, as `sign` returns it. */
  readonly signature: string;
  /** Value of `webhook-signature`, as `signStandardWebhook` returns it. */
  readonly webhookSignature: string;
}

/**
 * Signs one attempt of a tool call for both of its signature headers. On Node, where the HMAC is synchronous, it returns
 * the signatures themselves and throws its errors; in other runtimes it returns a promise.
 *
 * @param attempt - the id of the call, the time of the signature, and the exact bytes to send; at most 1 MiB.
 * @param secrets - signing secrets (`whsec_…`), newest first, 1 to 8.
 * @throws {@link YagateError} `SECRET_INVALID`; `BODY_TOO_LARGE`; `PAYLOAD_INVALID` if the id or the timestamp is invalid
 *   or the body is not bytes.
 */
export function signAttempt(
  attempt: StandardWebhook,
  secrets: readonly string[],
): AttemptSignatures | Promise<AttemptSignatures> {
  const signature = signBody(attempt.body, secrets);
  const webhookSignature = signWebhook(attempt, secrets);
  if (typeof signature === "string" && typeof webhookSignature === "string") return { signature, webhookSignature };
  return bothOf(signature, webhookSignature);
}

async function bothOf(
  signature: string | Promise<string>,
  webhookSignature: string | Promise<string>,
): Promise<AttemptSignatures> {
  const [own, standard] = await Promise.all([signature, webhookSignature]);
  return { signature: own, webhookSignature: standard };
}
