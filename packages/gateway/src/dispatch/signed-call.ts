import { type JsonObject, STANDARD_WEBHOOK_HEADERS, schemaHash, sign, signStandardWebhook } from "@yagate/protocol";
import { callBody } from "./call-body.ts";
import type { AttemptRequest } from "./port.ts";
import { traceHeaders } from "./trace-context.ts";

/** Names of the headers that hold signatures. */
export const CALL_HEADERS = {
  signature: "X-YA-Signature",
  webhookSignature: STANDARD_WEBHOOK_HEADERS.signature,
} as const;

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
 * @param isTraceRecorded - the gateway writes spans of its own.
 * @throws YagateError `SECRET_INVALID`, `BODY_TOO_LARGE`.
 */
export async function signCall(
  request: AttemptRequest,
  secrets: readonly string[],
  timestamp: number,
  isTraceRecorded = false,
): Promise<SignedCall> {
  const { tool, toolCallId } = request;
  const hash = hashes.get(tool.parameters) ?? (await hashOf(tool.parameters));
  const text = callBody(request, { timestamp, schemaHash: hash });
  const body = Buffer.from(text);
  const timestampSeconds = Math.floor(timestamp / 1_000);
  const signature = await sign(body, secrets);
  const webhookSignature = await signStandardWebhook({ id: toolCallId, timestampSeconds, body }, secrets);
  return {
    text,
    body,
    headers: {
      "Content-Type": "application/json",
      [CALL_HEADERS.signature]: signature,
      "Idempotency-Key": toolCallId,
      [STANDARD_WEBHOOK_HEADERS.id]: toolCallId,
      [STANDARD_WEBHOOK_HEADERS.timestamp]: String(timestampSeconds),
      [CALL_HEADERS.webhookSignature]: webhookSignature,
      ...traceHeaders(request, isTraceRecorded),
    },
  };
}

const hashes = new WeakMap<JsonObject, string>();

/** A version of an agent keeps its definitions, so each schema is hashed once. */
async function hashOf(parameters: JsonObject): Promise<string> {
  const hash = await schemaHash(parameters);
  hashes.set(parameters, hash);
  return hash;
}
