import type { EgressResponse, LateWatch } from "@yagate/egress";
import { EgressError } from "@yagate/egress";
import { NO_TIMINGS } from "@yagate/egress/internal";
import { defined } from "@yagate/lib/objects/defined";
import type { Redaction } from "@yagate/lib/redaction/redaction";
import { DEFAULT_TOOL_TIMEOUT_MS, SIGNATURE_HEADER } from "@yagate/protocol";
import { decodeUtf8 } from "../../calls/decode-utf8.ts";
import { egressFailure } from "../../calls/egress-failure.ts";
import { gatewayFailure } from "../../calls/failure.ts";
import { headerOf } from "../../calls/header.ts";
import type { DispatcherOptions } from "../dispatcher-options.ts";
import type { EndpointVerdict } from "../endpoints/circuit-breaker.ts";
import { verdictOfAnswer, verdictOfError } from "../endpoints/endpoint-verdict.ts";
import type { AttemptFailure, AttemptReport, AttemptRequest } from "../port.ts";
import { callOf, type PreparedAttempt, prepareAttempt } from "../request/prepare-attempt.ts";
import { redactSecrets } from "../request/redact-secrets.ts";
import { classifyResponse } from "../response/response.ts";
import { refuseSignature } from "../response/response-signature.ts";
import { respondedReport, unansweredReport, unsentReport } from "./attempt-report.ts";

const DEFAULT_MAX_RESPONSE_BYTES = 500_000;
/** Most that is spent of a tool's timeout before its attempt is signed. */
const PREPARATION_MS = 50;

/** What came of an attempt whose turn it was, and what that says of its endpoint. */
export interface SentAttempt {
  readonly report: AttemptReport;
  readonly verdict: EndpointVerdict;
}

/**
 * Signs and sends one attempt. Rejects only with the error of `beforeSend`.
 *
 * @param onTimeout - asked when the attempt has timed out and may have arrived.
 */
export async function sendAttempt(
  request: AttemptRequest,
  options: DispatcherOptions,
  onTimeout: () => LateWatch | undefined,
): Promise<SentAttempt> {
  const { egressOf, onError, maxResponseBytes = DEFAULT_MAX_RESPONSE_BYTES } = options;
  const { signal, unsentSignal } = request;
  const startedAt = performance.now();
  const prepared = await prepareAttempt(request, options);
  if ("failure" in prepared) {
    return { report: unsentReport(prepared.failure, performance.now() - startedAt), verdict: "nothing" };
  }
  const { call, timeoutMs } = prepared;
  let veto: { readonly error: unknown } | undefined;
  let mayHaveLeft = false;
  try {
    const response = await egressOf(request.workspaceId).request({
      group: request.workspaceId,
      method: "POST",
      url: request.tool.handler,
      headers: call.secretHeaders === undefined ? call.headers : { ...call.headers, ...call.secretHeaders },
      body: call.body,
      timeoutMs,
      maxResponseBytes,
      signal,
      ...defined({ unsentSignal }),
      onTimeout,
      beforeSend() {
        try {
          request.beforeSend();
        } catch (error) {
          veto = { error };
          throw error;
        }
        mayHaveLeft = true;
      },
    });
    const report = await readAnswer(request, prepared, response, options);
    return { report, verdict: verdictOfAnswer(response.status, report.answer) };
  } catch (error) {
    if (veto !== undefined) throw veto.error;
    const durationMs = performance.now() - startedAt;
    if (error instanceof EgressError) {
      const limitMs = namedLimitMs(request, timeoutMs);
      const failure = egressFailure(error, limitMs);
      const { bytesMayHaveLeft, timings, answerStatus: status } = error;
      return {
        report: unansweredReport({ failure, call, mayHaveLeft: bytesMayHaveLeft, status, durationMs, timings }),
        verdict: verdictOfError(error, limitMs === ownTimeoutMs(request)),
      };
    }
    onError?.(error, callOf(request));
    const unknown = { call, mayHaveLeft, status: undefined, durationMs, timings: NO_TIMINGS };
    return { report: unansweredReport({ failure: defect(mayHaveLeft), ...unknown }), verdict: "nothing" };
  }
}

async function readAnswer(
  request: AttemptRequest,
  { call, secrets, valuesToRedact, redaction }: PreparedAttempt,
  received: EgressResponse,
  { endpoints, now }: DispatcherOptions,
): Promise<AttemptReport> {
  const { status, body } = received;
  const decoded = decodeUtf8(body);
  const ownText = redactSecrets(decoded ?? new TextDecoder().decode(body), valuesToRedact);
  const text = redaction === undefined ? ownText : await withoutHeaderSecrets(ownText, redaction);
  const refusal = await refuseSignature(headerOf(received.headers, SIGNATURE_HEADER), request, received, secrets);
  const headers = redaction === undefined ? received.headers : redaction.headers(received.headers);
  const response = { ...received, headers };
  const answer =
    refusal === undefined
      ? classifyResponse({
          status,
          isAsync: request.callback !== undefined,
          text: decoded === undefined ? undefined : text,
          retryAfter: headerOf(headers, "retry-after"),
          now: now(),
        })
      : { failure: refusal };
  if ("failure" in answer && isGone(answer.failure)) {
    await endpoints.disable(request.workspaceId, request.tool.handler, "the handler answered 410 Gone");
  }
  return respondedReport({ answer, call, response, text, secrets: valuesToRedact });
}

/** What holds a NUL may be text in an encoding that no search reads. */
async function withoutHeaderSecrets(text: string, redaction: Redaction): Promise<string> {
  return text.includes("\0") ? "[bytes that are not text]" : redaction.body(text, { isCut: false });
}

/** A handler may answer this code as its own, which means nothing here. */
function isGone({ code, source }: AttemptFailure): boolean {
  return code === "HANDLER_GONE" && source === "gateway";
}

function defect(mayHaveLeft: boolean): AttemptFailure {
  const outcome = mayHaveLeft ? "unknown" : "none";
  return gatewayFailure("INTERNAL", "the call failed for a reason inside the gateway", { outcome });
}

/** The tool's own timeout is the number that its author knows, unless the execution's time left clearly less. */
function namedLimitMs(request: AttemptRequest, timeoutMs: number): number {
  const ownMs = ownTimeoutMs(request);
  return ownMs - timeoutMs <= PREPARATION_MS ? ownMs : timeoutMs;
}

function ownTimeoutMs({ tool }: AttemptRequest): number {
  return tool.timeout ?? DEFAULT_TOOL_TIMEOUT_MS;
}
