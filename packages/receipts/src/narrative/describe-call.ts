import { isBlocked, type ModelCall, type ToolErrorRecord, toVisibleLine } from "@yagate/protocol";
import type { EventOf, NarrativeContext } from "./event-of.ts";
import { costText, countOf, durationText, isFree, originOf, quote, sentence, tokensText } from "./phrases.ts";

export function describeRequested(event: EventOf<"tool_call.requested">): string {
  const { toolCallId, name, parameters, policyDecision } = event;
  const requested = `The model requested ${toVisibleLine(name)} (${toolCallId}) with ${quote(parameters)}.`;
  if (policyDecision === null) return requested;
  const { decision, reason } = policyDecision;
  return `${requested} The agent's policy: ${sentence(`${toVisibleLine(decision).replaceAll("_", " ")} (${toVisibleLine(reason)})`)}`;
}

/** The reason for a block, by error code. */
const BLOCKS: Readonly<Record<string, string>> = {
  POLICY_DENIED: "by the agent's policy",
  APPROVAL_DENIED: "by the approver",
  APPROVAL_EXPIRED: "because no decision was made in time",
  URL_BLOCKED: "because its address is not allowed",
  DNS_BLOCKED: "because its address is not allowed",
  WEBHOOK_NOT_ENABLED: "because the agent may not send webhooks",
  WEBHOOK_NOT_REGISTERED: "because its webhook is not registered",
  CREDENTIAL_MISSING: "because it specifies no credential",
  CREDENTIAL_UNKNOWN: "because its credential does not exist",
  CREDENTIAL_LEAK: "because it contains the value of a secret",
  RATE_LIMITED: "by a rate limit",
  BUDGET_EXCEEDED: "by a limit of the execution",
  ENDPOINT_DISABLED: "because its endpoint is disabled",
  CIRCUIT_OPEN: "because its endpoint failed too often",
  INVALID_ARGUMENTS: "because its arguments are invalid",
  UNKNOWN_TOOL: "because the agent has no such tool",
  TOOL_NOT_LOADED: "because its tool had not been loaded",
  DEPENDENCY_FAILED: "because a tool that it depends on failed",
  TOOL_HELD: "because the definition of its tool is no longer accepted",
  TOOL_REMOVED: "because the source of its tool no longer offers it",
  REPLAY_DIVERGED: "because the recording has no outcome for it",
};

function errorText({ code, message }: ToolErrorRecord): string {
  return sentence(`${toVisibleLine(code)}: ${toVisibleLine(message)}`);
}

export function describeDenied({ toolCallId, error }: EventOf<"tool_call.denied">, context: NarrativeContext): string {
  const why = BLOCKS[error.code] ?? "by the gateway";
  return `${context.nameOf(toolCallId)} was blocked ${why}; nothing was sent. ${errorText(error)}`;
}

export function describeFailed(
  { toolCallId, error, fallbackUntil, cost, modelCalls }: EventOf<"tool_call.failed">,
  context: NarrativeContext,
): string {
  const name = context.nameOf(toolCallId);
  const isUnsent = error.attempts === 0 || (error.attempts === 1 && isBlocked(error));
  const block = error.source === "gateway" && isUnsent ? BLOCKS[error.code] : undefined;
  const summary =
    block === undefined
      ? `${name} failed after ${countOf(error.attempts, "attempt")}.`
      : `${name} was blocked ${block}; nothing was sent.`;
  const reporter = error.source === "handler" ? "Its handler reported " : "";
  const outcome = error.outcome === "unknown" ? " It is unknown whether it took effect." : "";
  const held =
    fallbackUntil === undefined ? "" : ` The caller of the execution may supply a fallback until ${fallbackUntil}.`;
  const price = cost === undefined || isFree(cost) ? "" : ` It cost ${costText(cost)}.`;
  return `${summary} ${reporter}${errorText(error)}${outcome}${held}${modelCallsText(modelCalls)}${price}`;
}

const SOURCES: Readonly<Record<string, string>> = {
  callback: " with the result of a callback",
  fallback: " with a fallback from the caller of the execution",
  cache: " with a result from a cache",
  recording: " with a recorded result; nothing was sent",
};

export function describeCompleted(event: EventOf<"tool_call.completed">, context: NarrativeContext): string {
  const { toolCallId, result, via, cost, modelCalls } = event;
  const price = isFree(cost) ? "" : ` It cost ${costText(cost)}.`;
  const called = modelCallsText(modelCalls);
  return `${context.nameOf(toolCallId)} completed${SOURCES[via ?? ""] ?? ""}: ${quote(result)}.${called}${price}`;
}

/** Describes the model calls that a tool made. */
function modelCallsText(calls: readonly ModelCall[] = []): string {
  if (calls.length === 0) return "";
  const models = [...new Set(calls.map(({ model }) => toVisibleLine(model)))].join(", ");
  const usage = {
    inputTokens: calls.reduce((sum, call) => sum + call.usage.inputTokens, 0),
    outputTokens: calls.reduce((sum, call) => sum + call.usage.outputTokens, 0),
  };
  const failed = calls.filter(({ error }) => error !== undefined).length;
  const withoutReply = failed === 0 ? "" : `, ${failed} without a reply`;
  return ` It called the model ${models} ${countOf(calls.length, "time")}${withoutReply} (${tokensText(usage)}).`;
}

export function describeFallback(
  { toolCallId, isDeclined, result }: EventOf<"fallback.received">,
  context: NarrativeContext,
): string {
  const name = context.nameOf(toolCallId);
  if (isDeclined) return `The caller declined to supply a fallback for ${name}.`;
  return `The caller supplied a fallback for ${name}: ${quote(result)}.`;
}

export function describeLate(event: EventOf<"tool_call.late">, context: NarrativeContext): string {
  const { toolCallId, httpStatus, elapsedMs } = event;
  const status = httpStatus === undefined ? "" : ` with HTTP status ${httpStatus}`;
  const after = durationText(elapsedMs ?? null);
  return `A response to ${context.nameOf(toolCallId)} arrived${status}${after}, after its attempt had timed out. It was recorded, but not used.`;
}

export function describeAttemptStarted(event: EventOf<"attempt.started">, context: NarrativeContext): string {
  const { toolCallId, attemptId, number, method, url, credential, isResumption } = event;
  const attempt = `Attempt ${number} of ${context.nameOf(toolCallId)}`;
  const secrets = credential === undefined ? "" : `, with ${toVisibleLine(credential)}`;
  if (context.isBlocked(attemptId)) {
    const target = url === "" ? "" : `, to ${originOf(url)} (${toVisibleLine(method)})${secrets},`;
    return `${attempt}${target} was blocked before anything was sent.`;
  }
  // This entry was written before the connection was made. Only the end of the attempt shows whether anything was sent.
  const only = isResumption === true ? " It only reads the response to the attempt before it." : "";
  return `${attempt} started, to ${originOf(url)} (${toVisibleLine(method)})${secrets}.${only}`;
}

export function describeAttemptFinished(event: EventOf<"attempt.finished">, context: NarrativeContext): string {
  const { toolCallId, number, durationMs, httpStatus, errorCode, outcome, retryAt, isInterruption } = event;
  const later = event["isPending"] === true ? " The result will arrive by callback." : "";
  const attempt = `Attempt ${number} of ${context.nameOf(toolCallId)}`;
  const status = httpStatus === undefined ? "" : ` with HTTP status ${httpStatus}`;
  const next = retryAt === undefined ? "" : ` The next attempt is at ${retryAt}.`;
  if (isInterruption === true) return `${attempt} was in progress when the gateway stopped.${next}`;
  if (errorCode === undefined) return `${attempt} completed${status}${durationText(durationMs)}.${later}${next}`;
  const effect =
    outcome === "unknown"
      ? "; it is unknown whether it took effect"
      : outcome === "none" && httpStatus === undefined
        ? "; nothing was sent"
        : "";
  return `${attempt} failed${durationText(durationMs)}${status}: ${toVisibleLine(errorCode)}${effect}.${next}`;
}
