import { sign, signStandardWebhook } from "@yagate/protocol";
import { callBody } from "./call-body.ts";
import { callHeaders } from "./call-headers.ts";
import { parametersHash } from "./parameters-hash.ts";
import type { AttemptRequest } from "./port.ts";
import { traceparent } from "./trace-context.ts";

/** One attempt, ready to be sent. */
export interface SignedCall {
  readonly text: string;
  /** The text in UTF-8: the exact bytes that are signed. */
  readonly body: Uint8Array;
  readonly headers: Readonly<Record<string, string>>;
}

/**
 * Builds and signs one attempt.
 *
 * @param secrets - the tool's live signing secrets, newest first.
 * @param timestamp - ms since the epoch.
 * @throws YagateError `SECRET_INVALID`, `BODY_TOO_LARGE`.
 */
export async function signCall(
  request: AttemptRequest,
  secrets: readonly string[],
  timestamp: number,
): Promise<SignedCall> {
  const { tool, toolCallId, executionId, number, deadline } = request;
  const text = callBody(request, { number, deadline, timestamp, schemaHash: await parametersHash(tool.parameters) });
  const body = Buffer.from(text);
  const timestampSeconds = Math.floor(timestamp / 1_000);
  return {
    text,
    body,
    headers: callHeaders(toolCallId, {
      signature: await sign(body, secrets),
      webhookSignature: await signStandardWebhook({ id: toolCallId, timestampSeconds, body }, secrets),
      timestamp: String(timestampSeconds),
      traceparent: traceparent(executionId, toolCallId, number),
    }),
  };
}
