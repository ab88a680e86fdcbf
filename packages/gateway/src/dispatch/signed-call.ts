import { sign, signStandardWebhook } from "@yagate/protocol";
import { callBody } from "./call-body.ts";
import { callHeaders } from "./call-headers.ts";
import type { CallbackTicket } from "./dispatcher-options.ts";
import { parametersHash } from "./parameters-hash.ts";
import type { AttemptRequest } from "./port.ts";
import { traceparent } from "./trace-context.ts";

/** One attempt, ready to be sent. */
export interface SignedCall {
  readonly text: string;
  /** The text in UTF-8: the exact bytes that are signed. */
  readonly body: Uint8Array;
  readonly headers: Readonly<Record<string, string>>;
  /** What opens the callback of an asynchronous call: it stands in the text, and nobody but the handler may read it. */
  readonly callbackToken?: string;
}

/**
 * Builds and signs one attempt.
 *
 * @param secrets - the tool's live signing secrets, newest first.
 * @param timestamp - ms since the epoch.
 * @param ticket - of an asynchronous call.
 * @throws YagateError `SECRET_INVALID`, `BODY_TOO_LARGE`.
 */
export async function signCall(
  request: AttemptRequest,
  secrets: readonly string[],
  timestamp: number,
  ticket?: CallbackTicket,
): Promise<SignedCall> {
  const { tool, toolCallId, executionId, number, deadline, callback } = request;
  const schemaHash = await parametersHash(tool.parameters);
  const isAsync = ticket !== undefined && callback !== undefined;
  const text = callBody(request, {
    number,
    deadline,
    timestamp,
    schemaHash,
    ...(isAsync ? { callback: { ...ticket, expiresAt: callback.expiresAt } } : {}),
  });
  const body = Buffer.from(text);
  const timestampSeconds = Math.floor(timestamp / 1_000);
  return {
    text,
    body,
    ...(isAsync ? { callbackToken: ticket.token } : {}),
    headers: callHeaders(toolCallId, {
      signature: await sign(body, secrets),
      webhookSignature: await signStandardWebhook({ id: toolCallId, timestampSeconds, body }, secrets),
      timestamp: String(timestampSeconds),
      traceparent: traceparent(executionId, toolCallId, number),
    }),
  };
}
