import {
  type HandlerToolDefinition,
  type SignedCallback,
  verifyCallbackSignature,
  YagateError,
} from "@yagate/protocol";

/**
 * Checks the signature of an outcome that was brought: where there is one it must be right, and a tool may ask that
 * there is one.
 *
 * @param header - its `X-YA-Signature`.
 * @param secrets - the tool's live signing secrets; none when they are gone.
 * @throws YagateError `SIGNATURE_MISSING`, `SIGNATURE_MALFORMED`, `SIGNATURE_MISMATCH`.
 */
export async function assertCallbackSignature(
  header: string | undefined,
  tool: Pick<HandlerToolDefinition, "requireSignedAnswer">,
  callback: SignedCallback,
  secrets: readonly string[],
): Promise<void> {
  if (header === undefined) {
    if (tool.requireSignedAnswer !== true) return;
    throw new YagateError("SIGNATURE_MISSING", "this tool's outcomes must be signed", { hint: HINT });
  }
  if (secrets.length === 0) {
    throw new YagateError("SIGNATURE_MISMATCH", "the tool's signing secret does not exist any more");
  }
  await verifyCallbackSignature(header, callback, secrets);
}

const HINT = "send X-YA-Signature over callback.<toolCallId>. and the body";
