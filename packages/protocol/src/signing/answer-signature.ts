import { YagateError } from "../errors/yagate-error.ts";
import type { SignedText } from "./hmac.ts";
import { signText, verifyText } from "./signed-text.ts";
import { assertSignable } from "./signed-tool-call-id.ts";

/** What an answer's signature covers. */
export interface SignedAnswer {
  /** `tc_…` of the call that is answered. */
  readonly toolCallId: string;
  /** HTTP status of the answer, 100 to 599. */
  readonly status: number;
  /** The exact bytes of the answer's body, of any size. */
  readonly body: Uint8Array;
}

function textOf({ toolCallId, status, body }: SignedAnswer): SignedText {
  assertSignable(toolCallId);
  if (!Number.isInteger(status) || status < 100 || status > 599) {
    throw new YagateError("PAYLOAD_INVALID", "status must be an HTTP status, 100 to 599");
  }
  return { prefix: `answer.${toolCallId}.${status}.`, body };
}

/**
 * Signs a handler's answer: HMAC-SHA256 over `answer.<toolCallId>.<status>.` and the body. Bound to the call and the
 * status, and another text than a call's, so that neither can be sent back as the other.
 *
 * @param secrets - the handler's signing secrets, newest first, 1 to 8.
 * @returns the value of `X-YA-Signature`.
 * @throws {@link YagateError} `SECRET_INVALID`, `PAYLOAD_INVALID`.
 */
export async function signAnswer(answer: SignedAnswer, secrets: readonly string[]): Promise<string> {
  return signText(textOf(answer), secrets);
}

/**
 * Checks the signature of a handler's answer to one call.
 *
 * @param header - the answer's `X-YA-Signature`.
 * @param answer - the id of the call that was sent, the status and the bytes that came back.
 * @throws {@link YagateError} as `verifySignature`, and `PAYLOAD_INVALID` (no possible id or status).
 */
export async function verifyAnswerSignature(
  header: string | null | undefined,
  answer: SignedAnswer,
  secrets: readonly string[],
): Promise<void> {
  return verifyText(header, textOf(answer), secrets);
}
