import { signBody } from "./sign.ts";
import { type StandardWebhook, signWebhook } from "./standard-webhook.ts";

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
