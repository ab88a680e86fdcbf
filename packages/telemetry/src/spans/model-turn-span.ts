import { SpanKind } from "@opentelemetry/api";
import type { ExecutionEvent, ModelCall } from "@yagate/protocol";
import { conventionalProvider, type ModelReference, responseAttributes, serverAttributes } from "./model-reference.ts";
import { beginSpan, failSpan, type PlannedSpan } from "./planned-span.ts";
import { costAttributes, usageAttributes } from "./usage-attributes.ts";

type Requested = Extract<ExecutionEvent, { type: "model.requested" }>;
type Failed = Extract<ExecutionEvent, { type: "model.failed" }>;
type Responded = Extract<ExecutionEvent, { type: "model.responded" }>;

/** Starts the span of a model turn, which covers all of its requests. */
export function beginModelTurn(event: Requested, reference: ModelReference): PlannedSpan {
  const { provider, model } = reference;
  return beginSpan({
    name: `chat ${model}`,
    kind: provider === "scripted" ? SpanKind.INTERNAL : SpanKind.CLIENT,
    startedAt: Date.parse(event.at),
    attributes: {
      "gen_ai.operation.name": "chat",
      "gen_ai.provider.name": conventionalProvider(provider),
      "gen_ai.request.model": model,
      ...serverAttributes(reference),
      "yagate.turn": event.turn,
    },
  });
}

/** Records a failed request of the model turn. The last failure ends the span. */
export function noteModelFailure(span: PlannedSpan, event: Failed): void {
  const at = Date.parse(event.at);
  const { code, developerMessage } = event.error;
  const reason = developerMessage === undefined ? {} : { "error.message": developerMessage };
  span.events.push({
    name: event.type,
    at,
    attributes: {
      "error.type": code,
      ...reason,
      "yagate.attempt.number": event.attempt,
      "yagate.is_interruption": event.isInterruption ?? false,
    },
  });
  if (event.retryAt !== null) return;
  span.endedAt = at;
  Object.assign(span.attributes, reason);
  if (event.usage !== undefined) Object.assign(span.attributes, usageAttributes(event.usage));
  if (event.cost !== undefined) Object.assign(span.attributes, costAttributes(event.cost));
  failSpan(span, event.error.code);
}

/** Ends the span with the reply of the model. */
export function endModelTurn(span: PlannedSpan, event: Responded): void {
  const { sources = [], hostedCalls = [] } = event;
  const at = Date.parse(event.at);
  span.endedAt = at;
  Object.assign(span.attributes, {
    ...usageAttributes(event.usage),
    ...costAttributes(event.cost),
    ...responseAttributes(event.response),
    "gen_ai.response.finish_reasons": [event.finishReason],
    "yagate.tool_calls": event.toolCalls.length,
    "yagate.citations": sources.length,
    "yagate.attempt.number": event.attempt,
  });
  for (const { name, status } of hostedCalls) {
    span.events.push({
      name: "hosted_tool_call",
      at,
      attributes: { "gen_ai.tool.name": name, "yagate.tool.status": status },
    });
  }
}

/** Creates the span of a model call that a tool made. It covers all requests of the call. */
export function modelCallSpan(call: ModelCall, reference: ModelReference): PlannedSpan {
  const { provider, model } = reference;
  const startedAt = Date.parse(call.startedAt);
  const span = beginSpan({
    name: `chat ${model}`,
    kind: provider === "scripted" ? SpanKind.INTERNAL : SpanKind.CLIENT,
    startedAt,
    attributes: {
      "gen_ai.operation.name": "chat",
      "gen_ai.provider.name": conventionalProvider(provider),
      "gen_ai.request.model": model,
      ...serverAttributes(reference),
      ...responseAttributes(call.response),
      "gen_ai.response.finish_reasons": call.finishReason === undefined ? undefined : [call.finishReason],
      ...usageAttributes(call.usage),
      ...costAttributes(call.cost),
      "yagate.model.requests": call.requests,
    },
  });
  span.endedAt = startedAt + call.durationMs;
  if (call.error !== undefined) failSpan(span, call.error.code);
  return span;
}
