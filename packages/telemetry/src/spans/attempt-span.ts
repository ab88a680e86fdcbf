import { type Attributes, SpanKind } from "@opentelemetry/api";
import { attemptSpanId } from "@yagate/lib/http/trace-context";
import { redactText } from "@yagate/lib/redaction/redact-text";
import type { ExecutionEvent } from "@yagate/protocol";
import { beginSpan, failSpan, type PlannedSpan } from "./planned-span.ts";

type Started = Extract<ExecutionEvent, { type: "attempt.started" }>;
type Finished = Extract<ExecutionEvent, { type: "attempt.finished" }>;

const PORTS: Readonly<Record<string, number>> = { "https:": 443, "http:": 80 };

/** Starts the span of one signed request of a tool call. */
export function beginAttempt(event: Started): PlannedSpan {
  return beginSpan({
    name: event.method,
    kind: SpanKind.CLIENT,
    startedAt: Date.parse(event.at),
    spanId: attemptSpanId(event.toolCallId, event.number),
    attributes: {
      "http.request.method": event.method,
      ...urlAttributes(event.url),
      "http.request.resend_count": event.number > 1 ? event.number - 1 : undefined,
      "mcp.method.name": event.mcp?.method,
      "yagate.mcp.server": event.mcp?.server,
      "yagate.attempt.id": event.attemptId,
      "yagate.attempt.number": event.number,
    },
  });
}

/**
 * Ends the span and moves its start to the time when the request was sent, because the attempt may first have waited
 * for its endpoint.
 */
export function endAttempt(span: PlannedSpan, event: Finished): void {
  const { httpStatus, errorCode, durationMs, timings, isInterruption } = event;
  span.endedAt = Date.parse(event.at);
  if (durationMs !== null) span.startedAt = Math.max(span.startedAt, span.endedAt - durationMs);
  Object.assign(span.attributes, {
    "http.response.status_code": httpStatus,
    "http.request.body.size": event.requestBytes,
    "http.response.body.size": event.responseBytes,
    "yagate.attempt.error_code": errorCode,
    "yagate.attempt.outcome": event.outcome,
    "yagate.is_interruption": isInterruption,
    "yagate.http.dns_ms": timings?.dns ?? undefined,
    "yagate.http.connect_ms": timings?.connect ?? undefined,
    "yagate.http.tls_ms": timings?.tls ?? undefined,
    "yagate.http.first_byte_ms": timings?.firstByte ?? undefined,
  });
  if (httpStatus !== undefined && httpStatus >= 400) failSpan(span, String(httpStatus));
  else if (errorCode !== undefined) failSpan(span, errorCode);
}

/** Returns the attributes of a URL without its query, which may contain keys. */
function urlAttributes(text: string): Attributes {
  if (!URL.canParse(text)) return {};
  const { protocol, hostname, port, origin, pathname } = new URL(text);
  return {
    "server.address": hostname,
    "server.port": port === "" ? PORTS[protocol] : Number(port),
    "url.full": redactText(`${origin}${pathname}`),
  };
}
