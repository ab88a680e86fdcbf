import type { SignedText } from "./hmac.ts";
import { assertStatus } from "./signed-status.ts";
import { signText, verifyText } from "./signed-text.ts";
import { assertSignable } from "./signed-tool-call-id.ts";

/** Everything that the signature of a response covers. */
export interface SignedAnswer {
  /** The id of the call, `tc_…`. */
  readonly toolCallId: string;
  /** HTTP status of the response, 100 to 599. */
  readonly status: number;
  /** The exact bytes of the response's body, of any size. */
  readonly body: Uint8Array;
}

function textOf({ toolCallId, status, body }: SignedAnswer): SignedText {
  assertSignable(toolCallId);
  assertStatus(status);
  return { prefix: `answer.${toolCallId}.${status}.`, body };
}

/**
 * Signs a handler's response: HMAC-SHA256 over `answer.<toolCallId>.<status>.` and the body. Because the signed text
 * contains the call and the status, and differs from the signed text of a call, the signature is valid for no other
 * response and no call.
 *
 * @param secrets - the handler's signing secrets, newest first, 1 to 8.
 * @returns the value of `X-YA-Signature`.
 * @throws {@link YagateError} `SECRET_INVALID`; `PAYLOAD_INVALID` if the id or the status is invalid or the body is not
 *   bytes.
 */
export async function signAnswer(answer: SignedAnswer, secrets: readonly string[]): Promise<string> {
  return signText(textOf(answer), secrets);
}

/**
 * Verifies the signature of a handler's response to one call.
 *
 * @param header - the response's `X-YA-Signature`.
 * @param answer - the id of the call, and the status and bytes of the response.
 * @param secrets - the accepted signing secrets (`whsec_…`), at least one.
 * @throws {@link YagateError} the codes of `verifySignature`, and `PAYLOAD_INVALID` if the id or the status is invalid.
 */
export async function verifyAnswerSignature(
  header: string | null | undefined,
  answer: SignedAnswer,
  secrets: readonly string[],
): Promise<void> {
  return verifyText(header, textOf(answer), secrets);
}
