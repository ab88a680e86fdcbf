import { type HandlerToolDefinition, verifyAnswerSignature, YagateError } from "@yagate/protocol";
import { gatewayFailure } from "../../calls/failure.ts";
import type { Failure } from "../../calls/port.ts";
import { describeUnsigned } from "./unsigned-response.ts";

/**
 * Checks the signature of an answer: where there is one it must be right, and a tool may ask that there is one.
 *
 * @param header - the answer's `X-YA-Signature`.
 * @param secrets - the tool's live signing secrets.
 * @returns why the answer must not be believed, whatever it says; undefined when it may.
 */
export async function refuseSignature(
  header: string | undefined,
  { tool, toolCallId }: { readonly tool: HandlerToolDefinition; readonly toolCallId: string },
  { status, body }: { readonly status: number; readonly body: Uint8Array },
  secrets: readonly string[],
): Promise<Failure | undefined> {
  if (header === undefined) {
    if (tool.requireSignedAnswer !== true) return undefined;
    return refusal("it must be signed and is not", `SIGNATURE_MISSING: ${describeUnsigned(status, body)}`);
  }
  try {
    await verifyAnswerSignature(header, { toolCallId, status, body }, secrets);
    return undefined;
  } catch (error) {
    if (!YagateError.is(error)) throw error;
    return refusal("its signature is wrong", error.code);
  }
}

function refusal(why: string, developerMessage: string): Failure {
  return gatewayFailure("INVALID_RESPONSE_SIGNATURE", `the tool's answer can't be trusted: ${why}`, {
    outcome: "unknown",
    developerMessage,
  });
}
