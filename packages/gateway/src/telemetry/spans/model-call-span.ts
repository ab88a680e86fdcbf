import { SpanKind } from "@opentelemetry/api";
import type { ModelCall } from "@yagate/protocol";
import { conventionalProvider, type ModelReference, responseAttributes, serverAttributes } from "./model-reference.ts";
import { beginSpan, failSpan, type PlannedSpan } from "./planned-span.ts";
import { costAttributes, usageAttributes } from "./usage-attributes.ts";

/** One question that a tool asked of the agent's model, with all the requests that it took. */
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
