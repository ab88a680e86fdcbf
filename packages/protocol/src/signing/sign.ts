import { YagateError } from "../errors/yagate-error.ts";
import { isBytes } from "./bytes.ts";
import { signText } from "./signed-text.ts";

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
