import { sign, signStandardWebhook } from "@yagate/protocol";
import type { CallbackTicket } from "../dispatcher-options.ts";
import type { AttemptRequest, OpenedHeaders } from "../port.ts";
import { callBody } from "./call-body.ts";
import { callHeaders } from "./call-headers.ts";
import { parametersHash } from "./parameters-hash.ts";
import { traceHeaders } from "./trace-context.ts";

/** What an attempt is signed with beside its secrets. */
interface SigningOptions {
  /** Of an asynchronous call. */
  readonly ticket?: CallbackTicket | undefined;
  /** The gateway writes spans of its own; default: it does not. */
  readonly isTraceRecorded?: boolean | undefined;
  /** What the tool's author adds, with its secrets. */
  readonly added?: OpenedHeaders | undefined;
}

/** One attempt, ready to be sent. */
export interface SignedCall {
  readonly text: string;
  /** The text in UTF-8: the exact bytes that are signed. */
  readonly body: Uint8Array;
  /** With the names of secrets in the place of what `secretHeaders` has. */
  readonly headers: Readonly<Record<string, string>>;
  /** Takes the place of the headers of the same names when the call leaves, and is kept nowhere. */
  readonly secretHeaders?: Readonly<Record<string, string>>;
  /** What opens the callback of an asynchronous call: it stands in the text, and nobody but the handler may read it. */
  readonly callbackToken?: string;
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
  { ticket, isTraceRecorded = false, added }: SigningOptions = {},
): Promise<SignedCall> {
  const { tool, toolCallId, number, deadline, callback } = request;
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
    ...(added === undefined ? {} : { secretHeaders: added.values }),
    headers: {
      ...request.addedHeaders?.shown,
      ...callHeaders(toolCallId, {
        signature: await sign(body, secrets),
        webhookSignature: await signStandardWebhook({ id: toolCallId, timestampSeconds, body }, secrets),
        timestamp: String(timestampSeconds),
        trace: traceHeaders(request, isTraceRecorded),
      }),
    },
  };
}
