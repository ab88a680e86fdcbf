import { hash } from "node:crypto";
import { type Attributes, SpanKind } from "@opentelemetry/api";
import { canonicalJson, type ExecutionEvent, type JsonValue } from "@yagate/protocol";
import { contentPreview } from "./content-preview.ts";
import { beginSpan, failSpan, type PlannedSpan } from "./planned-span.ts";
import { costAttributes } from "./usage-attributes.ts";

type Requested = Extract<ExecutionEvent, { type: "tool_call.requested" }>;
type Moved = Extract<ExecutionEvent, { type: "route.changed" }>;
type Ended = Extract<ExecutionEvent, { type: "tool_call.completed" | "tool_call.failed" | "tool_call.denied" }>;
type Resolved = Extract<ExecutionEvent, { type: "approval.resolved" }>;
type OfCall = Extract<ExecutionEvent, { readonly toolCallId: string }>;

/** Whether spans contain previews of arguments and results. */
export type TraceContent = "none" | "preview";

/** Starts the span of a tool call, which lasts from the model's request to the result. */
export function beginToolCall(event: Requested, content: TraceContent): PlannedSpan {
  const { name, kind, policyDecision } = event;
  return beginSpan({
    name: `execute_tool ${name}`,
    kind: SpanKind.INTERNAL,
    startedAt: Date.parse(event.at),
    attributes: {
      "gen_ai.operation.name": "execute_tool",
      "gen_ai.tool.name": name,
      "gen_ai.tool.call.id": event.toolCallId,
      "gen_ai.tool.type": typeOf(kind),
      "gen_ai.tool.call.arguments": content === "preview" ? contentPreview(event.parameters) : undefined,
      "yagate.turn": event.turn,
      "yagate.capability": event.capability?.key,
      "yagate.tool.kind": kind ?? undefined,
      "yagate.tool.side_effect": event.sideEffect ?? undefined,
      "yagate.tool.risk": event.risk ?? undefined,
      "yagate.tool.input_hash": inputHash(event.parameters),
      "yagate.policy.decision": policyDecision?.decision,
      "yagate.policy.reason": policyDecision?.reason,
    },
  });
}

/** Gives the span the attributes of the capability to which its call has moved. */
export function noteCapability(span: PlannedSpan, event: Moved): void {
  const { to, kind, sideEffect, risk, policyDecision } = event;
  Object.assign(span.attributes, {
    "gen_ai.tool.type": typeOf(kind),
    "yagate.capability": to.key,
    "yagate.tool.kind": kind,
    "yagate.tool.side_effect": sideEffect ?? undefined,
    "yagate.tool.risk": risk ?? undefined,
    "yagate.policy.decision": policyDecision.decision,
    "yagate.policy.reason": policyDecision.reason,
  });
}

/** The conventions distinguish functions on the client's side from tools that run on the agent's side. */
function typeOf(kind: Requested["kind"]): string {
  return kind === null || kind === "handler" ? "function" : "extension";
}

/**
 * Records an approver's decision. If the approver edited the arguments, also records the edited ones, because those are
 * sent.
 */
export function noteApproval(span: PlannedSpan, event: Resolved, content: TraceContent): void {
  noteOnCall(span, event);
  span.attributes["yagate.approval.status"] = event.status;
  if (event.parameters === undefined) return;
  span.attributes["yagate.approval.is_edited"] = true;
  span.attributes["yagate.tool.input_hash"] = inputHash(event.parameters);
  if (content === "preview") span.attributes["gen_ai.tool.call.arguments"] = contentPreview(event.parameters);
}

function inputHash(parameters: JsonValue): string {
  return `sha256:${hash("sha256", canonicalJson(parameters))}`;
}

/**
 * Ends the span of a tool call.
 *
 * @param preview - preview of the result as the model reads it; undefined if spans contain no content.
 */
export function endToolCall(span: PlannedSpan, event: Ended, preview?: string): void {
  span.endedAt = Date.parse(event.at);
  const attempts = span.children.length;
  if (event.type === "tool_call.completed") {
    Object.assign(span.attributes, {
      "yagate.tool.status": "completed",
      "yagate.tool.via": event.via,
      "yagate.tool.attempts": attempts,
      "gen_ai.tool.call.result": preview,
      "yagate.tool.model_calls": event.modelCalls?.length,
      ...costAttributes(event.cost),
    });
    return;
  }
  const { code, source, outcome } = event.error;
  Object.assign(span.attributes, {
    "yagate.tool.status": event.type === "tool_call.denied" ? "denied" : "failed",
    "yagate.tool.attempts": attempts,
    "yagate.tool.outcome": outcome,
    "yagate.tool.error_source": source,
    ...(event.type === "tool_call.failed" && event.cost !== undefined ? costAttributes(event.cost) : {}),
    "yagate.tool.model_calls": event.type === "tool_call.failed" ? event.modelCalls?.length : undefined,
  });
  failSpan(span, code);
}

/** Event fields that may appear in spans: ids and numbers, but no free text. */
const SPAN_FIELDS: Readonly<Record<string, string>> = {
  approvalId: "yagate.approval.id",
  attemptId: "yagate.attempt.id",
  elapsedMs: "yagate.elapsed_ms",
  httpStatus: "http.response.status_code",
  isDeclined: "yagate.is_declined",
  isSelfApproval: "yagate.is_self_approval",
  status: "yagate.status",
};

/** Records an event between the start and the end of a call, such as an approval request or a fallback. */
export function noteOnCall(span: PlannedSpan, event: OfCall): void {
  const attributes: Attributes = {};
  for (const [field, value] of Object.entries(event)) {
    const name = Object.hasOwn(SPAN_FIELDS, field) ? SPAN_FIELDS[field] : undefined;
    const isPlain = typeof value === "string" || typeof value === "number" || typeof value === "boolean";
    if (name !== undefined && isPlain) attributes[name] = value;
  }
  span.events.push({ name: event.type, at: Date.parse(event.at), attributes });
}
