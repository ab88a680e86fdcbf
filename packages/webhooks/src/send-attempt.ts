import { egressFailure, NOT_AS_APPROVED, OUT_OF_TIME, unsentFailure } from "@yagate/calls/failure";
import type { CallbackTimes, ToolCall, ToolOutcome } from "@yagate/calls/port";
import { decodeUtf8, headerOf } from "@yagate/calls/read-response";
import { type ReadResponse, recordResponse, type SentCall, sendCall, unsentOutcome } from "@yagate/calls/send-call";
import type { EgressResponse, LateWatch } from "@yagate/egress";
import type { Failure } from "@yagate/execution-machine/call-outcome";
import { defined } from "@yagate/lib/objects/defined";
import type { Redaction } from "@yagate/lib/redaction/redaction";
import { DEFAULT_TOOL_TIMEOUT_MS, SIGNATURE_HEADER, YagateError } from "@yagate/protocol";
import { type EndpointVerdict, verdictOfAnswer, verdictOfError } from "./endpoints/circuit-breaker.ts";
import type { AddedHeaders, Attempt, CallbackTicket, DispatcherOptions, OpenedHeaders } from "./port.ts";
import { classifyResponse, redactSecrets, refuseSignature } from "./response.ts";
import { hashOfCall, recordRequest, type SignedCall, signCall } from "./signed-call.ts";

const DEFAULT_MAX_RESPONSE_BYTES = 500_000;
/** Maximum part of a tool's timeout, in ms, that may pass before its attempt is signed. */
const PREPARATION_MS = 50;

const FREE = { usd: 0, credits: 0 };

/** The outcome of an attempt that had a slot, and its verdict on the endpoint. */
interface SentAttempt {
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

/** An attempt that may be sent. */
interface PreparedAttempt {
  readonly signed: SignedCall;
  /** The signing secrets, with which the handler signs the response too. */
  readonly secrets: readonly string[];
  /** Values that must not be stored with a response. */
  readonly valuesToRedact: readonly string[];
  /** Removes the secrets of the call's headers from a response; undefined if the headers contain none. */
  readonly redaction: Redaction | undefined;
  /** Time limit in ms from the DNS lookup to the last byte of the response; at least 1. */
  readonly timeoutMs: number;
}

const NO_ADDRESS = unsentFailure(
  "NOT_CONFIGURED",
  "the tool delivers its result by callback, and the gateway has no address for callbacks",
  {
    developerMessage: "set YAGATE_PUBLIC_URL to the address at which handlers reach this gateway",
  },
);

/**
 * Signs an attempt, or returns the reason why it can't be sent.
 *
 * @param onDefect - logs an error in the gateway itself.
 */
async function prepareAttempt(
  attempt: Attempt,
  options: Pick<DispatcherOptions, "signingSecrets" | "callbacks" | "now" | "isTraceRecorded">,
  onDefect: (error: unknown) => void,
): Promise<PreparedAttempt | { readonly failure: Failure }> {
  const { signingSecrets, now, isTraceRecorded } = options;
  const { call, webhook, context } = attempt;
  try {
    const found = signingSecrets.forSigning(call.workspaceId, webhook.tool.signingSecret ?? "default");
    const secrets = found instanceof Promise ? await found : found;
    if (secrets.length === 0) throw new YagateError("NOT_CONFIGURED", "expected a live signing secret with this name");
    const { addedHeaders } = webhook;
    const added = addedHeaders === undefined ? undefined : await openHeaders(call, addedHeaders, onDefect);
    if (added !== undefined && "failure" in added) return added;
    const ticket = context.callback === undefined ? undefined : await ticketOf(attempt, context.callback, options);
    const timestamp = now();
    const timeoutMs = Math.floor(context.deadline - timestamp);
    if (timeoutMs < 1) return { failure: OUT_OF_TIME };
    if (ticket === undefined && context.callback !== undefined) return { failure: NO_ADDRESS };
    const signing = { secrets, timestamp, ticket, added, isTraceRecorded: isTraceRecorded?.() };
    const built = signCall(attempt, signing);
    const signed = built instanceof Promise ? await built : built;
    const { approvedHash } = context;
    // The comparison uses the signed call that is about to be sent, so that nothing can change in between.
    if (approvedHash !== undefined && approvedHash !== hashOfCall(webhook, signed)) return { failure: NOT_AS_APPROVED };
    const valuesToRedact = ticket === undefined ? secrets : [...secrets, ticket.token];
    return { signed, secrets, valuesToRedact, redaction: added?.redaction, timeoutMs };
  } catch (error) {
    return { failure: signingFailure(error, () => onDefect(error)) };
  }
}

async function openHeaders(
  { workspaceId }: ToolCall,
  addedHeaders: AddedHeaders,
  onDefect: (error: unknown) => void,
): Promise<OpenedHeaders | { readonly failure: Failure }> {
  try {
    return await addedHeaders.open(workspaceId);
  } catch (error) {
    onDefect(error);
    return { failure: unsentFailure("INTERNAL", "the secrets in the tool's headers could not be decrypted") };
  }
}

async function ticketOf(
  { call: { workspaceId, executionId, toolCallId }, context: { deadline } }: Attempt,
  callback: CallbackTimes,
  { callbacks }: Pick<DispatcherOptions, "callbacks">,
): Promise<CallbackTicket | undefined> {
  return callbacks?.issue({ workspaceId, executionId, toolCallId, knownBy: deadline }, callback);
}

function signingFailure(error: unknown, onDefect: () => void): Failure {
  const code = YagateError.is(error) ? error.code : undefined;
  switch (code) {
    case "NOT_FOUND":
    case "NOT_CONFIGURED":
      return unsentFailure("NOT_CONFIGURED", "the tool's signing secret does not exist");
    case "BODY_TOO_LARGE":
      // The same arguments would be too large again.
      return unsentFailure("INVALID_ARGUMENTS", "the arguments are too large: a call may be at most 1 MiB", {
        isRetryable: false,
      });
    default:
      onDefect();
      return unsentFailure(
        "INTERNAL",
        "the call could not be signed because of an internal error of the gateway",
        defined({ developerMessage: code }),
      );
  }
}
