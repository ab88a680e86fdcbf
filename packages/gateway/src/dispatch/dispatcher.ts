import { DEFAULT_TOOL_TIMEOUT_MS, SIGNATURE_HEADER } from "@yagate/protocol";
import { EgressError, NO_TIMINGS } from "../egress/egress-error.ts";
import type { EgressResponse } from "../egress/index.ts";
import { interpretAnswer } from "./answer.ts";
import { refuseSignature } from "./answer-signature.ts";
import { answeredReport, unansweredReport, unsentReport } from "./attempt-report.ts";
import { decodeUtf8 } from "./decode-utf8.ts";
import type { DispatcherOptions } from "./dispatcher-options.ts";
import { egressFailure } from "./egress-failure.ts";
import { gatewayFailure } from "./failure.ts";
import { headerOf } from "./header.ts";
import type { AttemptFailure, AttemptReport, AttemptRequest, Dispatcher } from "./port.ts";
import { type PreparedAttempt, prepareAttempt } from "./prepare-attempt.ts";
import { redactSecrets } from "./redact-secrets.ts";

const DEFAULT_MAX_RESPONSE_BYTES = 500_000;
/** Most that is spent of a tool's timeout before its attempt is signed. */
const PREPARATION_MS = 50;

/** Sends signed calls: each attempt is signed anew, sent once, and its answer read by the table of the wire contract. */
export function createDispatcher(options: DispatcherOptions): Dispatcher {
  const { egress, onError, maxResponseBytes = DEFAULT_MAX_RESPONSE_BYTES } = options;
  return {
    async attempt(request) {
      const startedAt = performance.now();
      const prepared = await prepareAttempt(request, options);
      if ("failure" in prepared) return unsentReport(prepared.failure, performance.now() - startedAt);
      const { call, timeoutMs } = prepared;
      let veto: { readonly error: unknown } | undefined;
      let mayHaveLeft = false;
      try {
        const response = await egress.request({
          method: "POST",
          url: request.tool.handler,
          headers: call.headers,
          body: call.body,
          timeoutMs,
          maxResponseBytes,
          signal: request.signal,
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
        return await readAnswer(request, prepared, response, options);
      } catch (error) {
        if (veto !== undefined) throw veto.error;
        const durationMs = performance.now() - startedAt;
        if (error instanceof EgressError) {
          const failure = egressFailure(error, namedLimitMs(request, timeoutMs));
          const { bytesMayHaveLeft, timings } = error;
          return unansweredReport({ failure, call, mayHaveLeft: bytesMayHaveLeft, durationMs, timings });
        }
        onError?.(error);
        return unansweredReport({ failure: defect(mayHaveLeft), call, mayHaveLeft, durationMs, timings: NO_TIMINGS });
      }
    },
  };
}

async function readAnswer(
  request: AttemptRequest,
  { call, secrets }: PreparedAttempt,
  response: EgressResponse,
  { endpoints, now }: DispatcherOptions,
): Promise<AttemptReport> {
  const { status, headers, body } = response;
  const decoded = decodeUtf8(body);
  const text = redactSecrets(decoded ?? new TextDecoder().decode(body), secrets);
  const refusal = await refuseSignature(headerOf(headers, SIGNATURE_HEADER), request, response, secrets);
  const answer =
    refusal === undefined
      ? interpretAnswer({
          status,
          text: decoded === undefined ? undefined : text,
          retryAfter: headerOf(headers, "retry-after"),
          now: now(),
        })
      : { failure: refusal };
  if ("failure" in answer && isGone(answer.failure)) {
    await endpoints.disable(request.workspaceId, request.tool.handler, "the handler answered 410 Gone");
  }
  return answeredReport({ answer, call, response, text, secrets });
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
function namedLimitMs({ tool }: AttemptRequest, timeoutMs: number): number {
  const ownTimeoutMs = tool.timeout ?? DEFAULT_TOOL_TIMEOUT_MS;
  return ownTimeoutMs - timeoutMs <= PREPARATION_MS ? ownTimeoutMs : timeoutMs;
}
