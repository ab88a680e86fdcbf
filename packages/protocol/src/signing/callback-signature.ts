import type { SignedText } from "./hmac.ts";
import { signText, verifyText } from "./signed-text.ts";
import { assertSignable } from "./signed-tool-call-id.ts";

/** Everything that the signature of a callback covers. */
export interface SignedCallback {
  /** The id of the call, `tc_…`. */
  readonly toolCallId: string;
  /** The exact bytes of the callback's body, of any size. */
  readonly body: Uint8Array;
}

function textOf({ toolCallId, body }: SignedCallback): SignedText {
  assertSignable(toolCallId);
  return { prefix: `callback.${toolCallId}.`, body };
}

/**
 * Signs the result of an asynchronous call: HMAC-SHA256 over `callback.<toolCallId>.` and the body.
 *
 * @param secrets - the handler's signing secrets, newest first, 1 to 8.
 * @returns the value of `X-YA-Signature`.
 * @throws {@link YagateError} `SECRET_INVALID`; `PAYLOAD_INVALID` if the id is invalid or the body is not bytes.
 */
export async function signCallback(callback: SignedCallback, secrets: readonly string[]): Promise<string> {
  return signText(textOf(callback), secrets);
}

/**
 * Verifies the signature of a callback.
 *
 * @param header - the callback's `X-YA-Signature`.
 * @param callback - the id of the waiting call, and the bytes received.
 * @param secrets - the accepted signing secrets (`whsec_…`), at least one.
 * @throws {@link YagateError} the codes of `verifySignature`, and `PAYLOAD_INVALID` if the id is invalid.
 */
export async function verifyCallbackSignature(
  header: string | null | undefined,
  callback: SignedCallback,
  secrets: readonly string[],
): Promise<void> {
  return verifyText(header, textOf(callback), secrets);
}
