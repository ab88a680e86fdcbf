import { signText, verifyText } from "./signed-text.ts";

const PREFIX = "describe.";

/**
 * Signs a describe request: HMAC-SHA256 over `describe.` and the body. The signed text differs from that of a call, so
 * a verifier that knows only calls rejects the request.
 *
 * @param body - the exact bytes to send.
 * @param secrets - signing secrets as shown to the user (`whsec_…`), newest first, 1 to 8.
 * @returns the value of `X-YA-Signature`, the only signature of the request.
 * @throws {@link YagateError} `SECRET_INVALID`; `PAYLOAD_INVALID` if the body is not bytes.
 */
export async function signDescribe(body: Uint8Array, secrets: readonly string[]): Promise<string> {
  return signText({ prefix: PREFIX, body }, secrets);
}

/**
 * Verifies the signature of a describe request. It does not check the age of the request or its audience, because they
 * are in the body.
 *
 * @param header - the value of `X-YA-Signature`, as received.
 * @param body - the exact bytes received.
 * @param secrets - the accepted signing secrets (`whsec_…`), at least one.
 * @throws {@link YagateError} the codes of `verifySignature`.
 */
export async function verifyDescribe(
  header: string | null | undefined,
  body: Uint8Array,
  secrets: readonly string[],
): Promise<void> {
  return verifyText(header, { prefix: PREFIX, body }, secrets);
}
