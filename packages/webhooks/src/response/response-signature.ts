import { gatewayFailure } from "@yagate/calls/failure";
import { decodeUtf8, readResponseJson } from "@yagate/calls/read-response";
import type { Failure } from "@yagate/execution-machine/call-outcome";
import {
  ERROR_TABLE,
  type ErrorCode,
  type HandlerToolDefinition,
  isErrorCode,
  verifyAnswerSignature,
  YagateError,
} from "@yagate/protocol";
import { answerErrorOf } from "./handler-error.ts";

/**
 * Checks the signature of a response. A signature must be valid if present, and a tool may require one.
 *
 * @param header - value of the response's `X-YA-Signature`.
 * @param secrets - the tool's live signing secrets.
 * @returns the reason why the response must not be trusted; undefined if it may be. A promise only if there is a
 *   signature.
 */
export function refuseSignature(
  header: string | undefined,
  { tool, toolCallId }: { readonly tool: HandlerToolDefinition; readonly toolCallId: string },
  { status, body }: { readonly status: number; readonly body: Uint8Array },
  secrets: readonly string[],
): Failure | undefined | Promise<Failure | undefined> {
  if (header !== undefined) return refuseUnlessValid(header, { toolCallId, status, body }, secrets);
  if (tool.requireSignedAnswer !== true) return undefined;
  return refusal("it must be signed, but it is not", `SIGNATURE_MISSING: ${describeUnsigned(status, body)}`);
}

async function refuseUnlessValid(
  header: string,
  response: { readonly toolCallId: string; readonly status: number; readonly body: Uint8Array },
  secrets: readonly string[],
): Promise<Failure | undefined> {
  try {
    await verifyAnswerSignature(header, response, secrets);
    return undefined;
  } catch (error) {
    if (!YagateError.is(error)) throw error;
    return refusal("its signature is wrong", error.code);
  }
}

function refusal(why: string, developerMessage: string): Failure {
  return gatewayFailure("INVALID_RESPONSE_SIGNATURE", `the tool's response can't be trusted: ${why}`, {
    outcome: "unknown",
    developerMessage,
  });
}

/** Maximum size in bytes of a body that is searched for an error of the handler kit. */
const MAX_REFUSAL_BYTES = 4_096;

/**
 * Describes, for the developer only, why a response may be unsigned. An unsigned response proves nothing, but a handler
 * with a different secret has no other way to report the difference.
 */
function describeUnsigned(status: number, body: Uint8Array): string {
  const code = claimedCode(body);
  if (code === undefined) return `HTTP ${status}, without a signature`;
  const advice =
    code === "SIGNATURE_MISMATCH" ? "the handler probably has a different signing secret" : ERROR_TABLE[code].hint;
  return `HTTP ${status}, without a signature, claims ${code} (not verified): ${advice}`;
}

function claimedCode(body: Uint8Array): ErrorCode | undefined {
  if (body.byteLength > MAX_REFUSAL_BYTES) return undefined;
  const json = readResponseJson(decodeUtf8(body));
  const error = json.isReadable ? answerErrorOf(json.value) : undefined;
  return error?.kind === "valid" && isUnsignedCode(error.error.code) ? error.error.code : undefined;
}

function isUnsignedCode(code: string): code is ErrorCode {
  return isErrorCode(code) && ERROR_TABLE[code].isUnsigned;
}
