import { egressFailure } from "@yagate/calls/egress-failure";
import { recordResponse, unsentOutcome } from "@yagate/calls/exchange-record";
import type { ToolOutcome } from "@yagate/calls/port";
import { decodeUtf8, headerOf } from "@yagate/calls/read-response";
import { type ReadResponse, type SentCall, sendCall } from "@yagate/calls/send-call";
import type { EgressResponse, LateWatch } from "@yagate/egress";
import type { Failure } from "@yagate/execution-machine/call-outcome";
import type { Redaction } from "@yagate/lib/redaction/redaction";
import { DEFAULT_TOOL_TIMEOUT_MS, SIGNATURE_HEADER } from "@yagate/protocol";
import type { DispatcherOptions } from "../dispatcher-options.ts";
import type { EndpointVerdict } from "../endpoints/circuit-breaker.ts";
import { verdictOfAnswer, verdictOfError } from "../endpoints/endpoint-verdict.ts";
import type { Attempt } from "../port.ts";
import { type PreparedAttempt, prepareAttempt } from "../request/prepare-attempt.ts";
import { redactSecrets } from "../request/redact-secrets.ts";
import { recordRequest } from "../request/signed-call.ts";
import { classifyResponse } from "../response/response.ts";
import { refuseSignature } from "../response/response-signature.ts";

const DEFAULT_MAX_RESPONSE_BYTES = 500_000;
/** Maximum part of a tool's timeout, in ms, that may pass before its attempt is signed. */
const PREPARATION_MS = 50;

const FREE = { usd: 0, credits: 0 };

/** The outcome of an attempt that had a slot, and its verdict on the endpoint. */
export interface SentAttempt {
  readonly outcome: ToolOutcome;
  readonly verdict: EndpointVerdict;
}

/**
 * Signs and sends one attempt. Rejects only with the error of `beforeSend`.
 *
 * @param onTimeout - called when the attempt has timed out and its request may have arrived.
 */
export async function sendAttempt(
  attempt: Attempt,
  options: DispatcherOptions,
  onTimeout: () => LateWatch | undefined,
): Promise<SentAttempt> {
  const { egressOf, onError, maxResponseBytes = DEFAULT_MAX_RESPONSE_BYTES } = options;
  const { call, webhook, context } = attempt;
  const { workspaceId, executionId, toolCallId } = call;
  const onDefect = (error: unknown) => onError?.(error, { executionId, toolCallId });
  const startedAt = performance.now();
  const prepared = await prepareAttempt(attempt, options, onDefect);
  if ("failure" in prepared) {
    return { outcome: unsentOutcome(prepared.failure, performance.now() - startedAt), verdict: "nothing" };
  }
  const { signed, timeoutMs } = prepared;
  const ownMs = webhook.tool.timeout ?? DEFAULT_TOOL_TIMEOUT_MS;
  // The message contains the tool's own timeout, which its author knows, unless the execution had clearly less time
  // left.
  const limitMs = ownMs - timeoutMs <= PREPARATION_MS ? ownMs : timeoutMs;
  const sent = await sendCall(
    {
      egress: egressOf(workspaceId),
      request: (bounds) => ({
        ...bounds,
        group: workspaceId,
        method: "POST",
        url: webhook.tool.handler,
        headers: signed.secretHeaders === undefined ? signed.headers : { ...signed.headers, ...signed.secretHeaders },
        body: signed.body,
        maxResponseBytes,
        onTimeout,
      }),
      timeoutMs,
      startedAt,
      recorded: { request: recordRequest(signed) },
      read: (response) => readResponse(attempt, prepared, response, options),
      describe: (error) => egressFailure(error, "webhook", { limitMs }),
      onDefect,
    },
    context,
  );
  const { answer, exchange } = sent;
  return { outcome: { answer, exchange, cost: FREE }, verdict: verdictOf(sent, limitMs === ownMs) };
}

/**
 * Returns the verdict on the endpoint.
 * @param hadFullTime - whether the attempt had the full timeout of its tool.
 */
function verdictOf({ answer, exchange, error }: SentCall, hadFullTime: boolean): EndpointVerdict {
  if (error !== undefined) return verdictOfError(error, hadFullTime);
  return exchange.httpStatus === undefined ? "nothing" : verdictOfAnswer(exchange.httpStatus, answer);
}

/** Reads a response. Returns a promise only if a signature is verified, header secrets are removed, or on a 410. */
function readResponse(
  attempt: Attempt,
  prepared: PreparedAttempt,
  received: EgressResponse,
  options: DispatcherOptions,
): ReadResponse | Promise<ReadResponse> {
  const { secrets, valuesToRedact, redaction } = prepared;
  const decoded = decodeUtf8(received.body);
  const text = redactSecrets(decoded ?? new TextDecoder().decode(received.body), valuesToRedact);
  const signature = headerOf(received.headers, SIGNATURE_HEADER);
  const signed = { tool: attempt.webhook.tool, toolCallId: attempt.call.toolCallId };
  const refusal = refuseSignature(signature, signed, received, secrets);
  const response = { received, isText: decoded !== undefined };
  if (redaction === undefined && !(refusal instanceof Promise)) {
    return answerTo(attempt, prepared, { ...response, text, refusal }, options);
  }
  const shown = redaction === undefined ? text : withoutHeaderSecrets(text, redaction);
  return Promise.all([shown, refusal]).then(([withoutSecrets, refused]) =>
    answerTo(attempt, prepared, { ...response, text: withoutSecrets, refusal: refused }, options),
  );
}

/** A response whose signature was checked. */
interface CheckedResponse {
  readonly received: EgressResponse;
  /** Whether the body is UTF-8. */
  readonly isText: boolean;
  /** The body without secrets. */
  readonly text: string;
  /** Why the response must not be trusted. */
  readonly refusal: Failure | undefined;
}

function answerTo(
  { call, webhook, context }: Attempt,
  { valuesToRedact, redaction }: PreparedAttempt,
  { received: { status, body, headers: own }, isText, text, refusal }: CheckedResponse,
  { endpoints, now }: DispatcherOptions,
): ReadResponse | Promise<ReadResponse> {
  const headers = redaction === undefined ? own : redaction.headers(own);
  const answer =
    refusal === undefined
      ? classifyResponse({
          status,
          isAsync: context.callback !== undefined,
          text: isText ? text : undefined,
          retryAfter: headerOf(headers, "retry-after"),
          now: now(),
        })
      : { failure: refusal };
  const response = recordResponse({ headers, body }, text, (value) => redactSecrets(value, valuesToRedact));
  const read = { answer, response };
  if (!("failure" in answer) || !isGone(answer.failure)) return read;
  const reason = "the handler responded with 410 Gone";
  return endpoints.disable(call.workspaceId, webhook.tool.handler, reason).then(() => read);
}

/**
 * Redacts secrets in a response body. A text with NUL may be in an encoding that the redaction can't read, so it is
 * replaced entirely.
 */
async function withoutHeaderSecrets(text: string, redaction: Redaction): Promise<string> {
  return text.includes("\0") ? "[bytes that are not text]" : redaction.body(text, { isCut: false });
}

/** Returns whether the gateway itself assigned the code. A handler may use the same code for its own errors. */
function isGone({ code, source }: Failure): boolean {
  return code === "HANDLER_GONE" && source === "gateway";
}
