import { SpanKind } from "@opentelemetry/api";
import type { ExecutionEvent, JsonValue, Projection } from "@yagate/protocol";
import { beginAttempt, endAttempt } from "./attempt-span.ts";
import { contentPreview } from "./content-preview.ts";
import { conventionalProvider, type ModelReference } from "./model-reference.ts";
import { beginModelTurn, endModelTurn, modelCallSpan, noteModelFailure } from "./model-turn-span.ts";
import { beginSpan, failSpan, type PlannedSpan } from "./planned-span.ts";
import {
  beginToolCall,
  endToolCall,
  noteApproval,
  noteCapability,
  noteOnCall,
  type TraceContent,
} from "./tool-call-span.ts";
import { costAttributes, usageAttributes } from "./usage-attributes.ts";

/** An execution that has ended. */
export interface EndedExecution {
  readonly id: string;
  readonly workspaceId: string;
  readonly agentId: string;
  readonly agentVersion: number;
  /** Undefined if the agent could not be read. */
  readonly agentName: string | undefined;
  /** In ms since the epoch. */
  readonly createdAt: number;
  /** All events of the execution, in order. */
  readonly events: readonly ExecutionEvent[];
}

export interface SpanOptions {
  readonly content: TraceContent;
  readonly modelOf: (name: string) => ModelReference;
  /** Projects a result to the part that the model reads. */
  readonly project: (result: JsonValue, projection: Projection) => JsonValue;
}

type Final = Extract<ExecutionEvent, { type: "execution.completed" | "execution.failed" | "execution.cancelled" }>;

/** The open spans, by kind. */
interface Open {
  readonly root: PlannedSpan;
  readonly turns: Map<number, PlannedSpan>;
  readonly calls: Map<string, PlannedSpan>;
  readonly attempts: Map<string, PlannedSpan>;
  /** The projection of each tool call's result, by tool call id. */
  readonly projections: Map<string, Projection>;
}

/**
 * Derives the spans of an execution from its events alone. The same log always gives the same spans, whichever
 * processes wrote it and however often the execution was taken over.
 */
export function executionSpans(execution: EndedExecution, options: SpanOptions): PlannedSpan {
  const { agentName } = execution;
  const root = beginSpan({
    name: agentName === undefined ? "invoke_agent" : `invoke_agent ${agentName}`,
    kind: SpanKind.INTERNAL,
    startedAt: execution.createdAt,
    attributes: {
      "gen_ai.operation.name": "invoke_agent",
      "gen_ai.agent.id": execution.agentId,
      "gen_ai.agent.name": agentName,
      "gen_ai.agent.version": String(execution.agentVersion),
      "yagate.execution.id": execution.id,
      "yagate.workspace.id": execution.workspaceId,
    },
  });
  const open: Open = { root, turns: new Map(), calls: new Map(), attempts: new Map(), projections: new Map() };
  for (const event of execution.events) take(open, event, options);
  const endedAt = Date.parse(execution.events.at(-1)?.at ?? "") || execution.createdAt;
  for (const span of [root, ...open.turns.values(), ...open.calls.values(), ...open.attempts.values()]) {
    close(span, endedAt);
  }
  return root;
}

/** Closes a span that is still open when its execution ends. */
function close(span: PlannedSpan, endedAt: number): void {
  if (span.endedAt !== undefined) return;
  span.endedAt = endedAt;
  failSpan(span, "CANCELLED");
}

function take(open: Open, event: ExecutionEvent, { content, modelOf, project }: SpanOptions): void {
  const { root, turns, calls, attempts, projections } = open;
  switch (event.type) {
    case "execution.started":
      note(root, event);
      if (event.mode !== undefined) root.attributes["yagate.execution.mode"] = event.mode;
      if (event.toolSearch !== undefined) {
        root.attributes["yagate.tool_search.deferred"] = event.toolSearch.deferred;
        root.attributes["yagate.tool_search.deferred_tokens"] = event.toolSearch.deferredTokens;
      }
      if (event.replayOf !== undefined) root.attributes["yagate.execution.replay_of"] = event.replayOf;
      return;
    case "route.decided":
      note(root, event, routeAttributes(event));
      return;
    case "model.requested": {
      const model = modelOf(event.model);
      root.attributes["gen_ai.provider.name"] ??= conventionalProvider(model.provider);
      root.attributes["gen_ai.request.model"] ??= model.model;
      if (!turns.has(event.turn)) turns.set(event.turn, addChild(root, beginModelTurn(event, model)));
      return;
    }
    case "model.failed":
      onSpan(turns.get(event.turn), (span) => noteModelFailure(span, event));
      return;
    case "model.responded":
      onSpan(turns.get(event.turn), (span) => endModelTurn(span, event));
      return;
    case "tool_call.requested":
      calls.set(event.toolCallId, addChild(root, beginToolCall(event, content)));
      if (event.projection !== undefined) projections.set(event.toolCallId, event.projection);
      return;
    case "route.changed":
      if (event.projection === undefined) projections.delete(event.toolCallId);
      else projections.set(event.toolCallId, event.projection);
      onSpan(calls.get(event.toolCallId), (span) => {
        noteCapability(span, event);
        note(span, event, {
          "yagate.route.from": event.from.key,
          "yagate.route.to": event.to.key,
          "error.type": event.error.code,
        });
      });
      return;
    case "attempt.started":
      onSpan(calls.get(event.toolCallId), (call) => attempts.set(event.attemptId, addChild(call, beginAttempt(event))));
      return;
    case "attempt.finished":
      onSpan(attempts.get(event.attemptId), (span) => endAttempt(span, event));
      return;
    case "tool_call.failed":
      onSpan(calls.get(event.toolCallId), (span) => {
        // A call that is waiting for a fallback has not ended.
        if (event.fallbackUntil === undefined) endToolCall(span, event);
        else noteOnCall(span, event);
        addModelCalls(span, event, modelOf);
      });
      return;
    case "tool_call.completed":
      onSpan(calls.get(event.toolCallId), (span) => {
        const projection = projections.get(event.toolCallId);
        const read = () => (projection === undefined ? event.result : project(event.result, projection));
        endToolCall(span, event, content === "preview" ? contentPreview(read()) : undefined);
        addModelCalls(span, event, modelOf);
      });
      return;
    case "tool_call.denied":
      onSpan(calls.get(event.toolCallId), (span) => endToolCall(span, event));
      return;
    case "approval.resolved":
      onSpan(calls.get(event.toolCallId), (span) => noteApproval(span, event, content));
      return;
    case "tools.loaded": {
      const { length } = event.tools;
      root.attributes["yagate.tool_search.loaded"] = Number(root.attributes["yagate.tool_search.loaded"] ?? 0) + length;
      onSpan(calls.get(event.toolCallId), (span) => {
        span.attributes["yagate.tool_search.loaded"] = length;
        span.attributes["yagate.tool_search.reason"] = event.reason;
      });
      return;
    }
    case "citations.requested":
      note(root, event);
      return;
    case "limit.reached":
      note(root, event, { "yagate.limit": event.limit });
      return;
    case "execution.waiting":
      note(root, event, { "yagate.waiting.reason": event.reason, "yagate.waiting.until": event.until });
      return;
    case "execution.cancel_requested":
      note(root, event);
      return;
    case "execution.completed":
    case "execution.failed":
    case "execution.cancelled":
      end(root, event);
      return;
    default:
      onSpan(calls.get(event.toolCallId), (span) => noteOnCall(span, event));
  }
}

/** Returns which capability serves each intent. */
function routeAttributes({ intents, toolChoice }: Extract<ExecutionEvent, { type: "route.decided" }>) {
  const served = intents.map(({ intent, chosen }) => [`yagate.route.${intent}`, chosen ?? "none"] as const);
  return { "yagate.route.tool_choice": toolChoice, ...Object.fromEntries(served) };
}

function onSpan(span: PlannedSpan | undefined, change: (span: PlannedSpan) => void): void {
  if (span !== undefined) change(span);
}

/** Adds the model calls of a tool as children of its span, next to its attempts. */
function addModelCalls(
  span: PlannedSpan,
  { modelCalls = [] }: Extract<ExecutionEvent, { type: "tool_call.completed" | "tool_call.failed" }>,
  modelOf: SpanOptions["modelOf"],
): void {
  for (const call of modelCalls) addChild(span, modelCallSpan(call, modelOf(call.model)));
}

function addChild(parent: PlannedSpan, child: PlannedSpan): PlannedSpan {
  parent.children.push(child);
  return child;
}

function note(span: PlannedSpan, { type, at }: ExecutionEvent, attributes: Record<string, string> = {}): void {
  span.events.push({ name: type, at: Date.parse(at), attributes });
}

function end(root: PlannedSpan, event: Final): void {
  root.endedAt = Date.parse(event.at);
  const status = event.type.slice("execution.".length);
  Object.assign(root.attributes, {
    ...usageAttributes(event.usage),
    ...costAttributes(event.cost),
    "yagate.execution.status": status,
    "yagate.tool_calls": event.usage.toolCalls,
    "yagate.stop_reason": event.type === "execution.completed" ? event.stopReason : undefined,
  });
  if (event.type === "execution.failed") failSpan(root, event.error.code);
}
