import { isBlocked, type ModelCall, type ToolErrorRecord, toVisibleLine } from "@yagate/protocol";
import type { EventOf, NarrativeContext } from "./event-of.ts";
import { costText, countOf, durationText, isFree, originOf, quote, sentence, tokensText } from "./phrases.ts";

export function describeRequested(event: EventOf<"tool_call.requested">): string {
  const { toolCallId, name, parameters, policyDecision } = event;
  const asked = `The model asked for ${toVisibleLine(name)} (${toolCallId}) with ${quote(parameters)}.`;
  if (policyDecision === null) return asked;
  const { decision, reason } = policyDecision;
  return `${asked} The agent's policy: ${sentence(`${toVisibleLine(decision).replaceAll("_", " ")} (${toVisibleLine(reason)})`)}`;
}

/** Why the gateway itself let a call go no further. */
const BLOCKS: Readonly<Record<string, string>> = {
  POLICY_DENIED: "by the agent's policy",
  APPROVAL_DENIED: "by the person who was asked",
  APPROVAL_EXPIRED: "because no person allowed it in time",
  URL_BLOCKED: "by the rules for addresses that may be called",
  DNS_BLOCKED: "by the rules for addresses that may be called",
  WEBHOOK_NOT_ENABLED: "because the agent may send no webhooks",
  WEBHOOK_NOT_REGISTERED: "because it was to go to no registered webhook",
  CREDENTIAL_MISSING: "because it named no credential",
  CREDENTIAL_UNKNOWN: "because there was no such credential for it",
  CREDENTIAL_LEAK: "because it held a secret's value",
  RATE_LIMITED: "by a limit of calls in a time",
  BUDGET_EXCEEDED: "by a limit of the execution",
  ENDPOINT_DISABLED: "because its endpoint is disabled",
  CIRCUIT_OPEN: "because its endpoint had failed too often",
  INVALID_ARGUMENTS: "because its arguments were wrong",
  UNKNOWN_TOOL: "because the agent has no such tool",
  DEPENDENCY_FAILED: "because a tool that it depends on had failed",
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
  const became =
    block === undefined
      ? `${name} failed after ${countOf(error.attempts, "attempt")}.`
      : `${name} was blocked ${block}; nothing was sent.`;
  const who = error.source === "handler" ? "Its handler said " : "";
  const outcome = error.outcome === "unknown" ? " Whether it happened all the same is not known." : "";
  const held =
    fallbackUntil === undefined ? "" : ` The caller of the execution may supply a fallback until ${fallbackUntil}.`;
  const price = cost === undefined || isFree(cost) ? "" : ` It cost ${costText(cost)}.`;
  return `${became} ${who}${errorText(error)}${outcome}${held}${askedText(modelCalls)}${price}`;
}

const SOURCES: Readonly<Record<string, string>> = {
  callback: " by its callback",
  fallback: ", answered by the caller of the execution instead of its handler (fallback)",
  cache: " from a cache",
};

export function describeCompleted(event: EventOf<"tool_call.completed">, context: NarrativeContext): string {
  const { toolCallId, result, via, cost, modelCalls } = event;
  const price = isFree(cost) ? "" : ` It cost ${costText(cost)}.`;
  const asked = askedText(modelCalls);
  return `${context.nameOf(toolCallId)} came back${SOURCES[via ?? ""] ?? ""}: ${quote(result)}.${asked}${price}`;
}

/** What a tool asked of the agent's model. */
function askedText(calls: readonly ModelCall[] = []): string {
  if (calls.length === 0) return "";
  const models = [...new Set(calls.map(({ model }) => toVisibleLine(model)))].join(", ");
  const usage = {
    inputTokens: calls.reduce((sum, call) => sum + call.usage.inputTokens, 0),
    outputTokens: calls.reduce((sum, call) => sum + call.usage.outputTokens, 0),
  };
  const failed = calls.filter(({ error }) => error !== undefined).length;
  const unanswered = failed === 0 ? "" : `, ${failed} without an answer`;
  return ` It asked the model ${models} ${countOf(calls.length, "time")}${unanswered} (${tokensText(usage)}).`;
}

export function describeFallback({ toolCallId, isDeclined, result }: EventOf<"fallback.received">, context: NarrativeContext): string {
  const name = context.nameOf(toolCallId);
  if (isDeclined) return `The caller declined to supply a fallback for ${name}.`;
  return `An answer was given in the place of ${name}: ${quote(result)}.`;
}

export function describeLate(event: EventOf<"tool_call.late">, context: NarrativeContext): string {
  const { toolCallId, httpStatus, elapsedMs } = event;
  const status = httpStatus === undefined ? "" : ` with HTTP status ${httpStatus}`;
  const after = durationText(elapsedMs ?? null);
  return `An answer to ${context.nameOf(toolCallId)} came${status}${after}, when it had been given up: recorded, not used.`;
}

export function describeAttemptStarted(event: EventOf<"attempt.started">, context: NarrativeContext): string {
  const { toolCallId, attemptId, number, method, url, credential } = event;
  const attempt = `Attempt ${number} of ${context.nameOf(toolCallId)}`;
  const secrets = credential === undefined ? "" : `, with ${toVisibleLine(credential)}`;
  if (context.isBlocked(attemptId)) {
    const target = url === "" ? "" : `, to ${originOf(url)} (${toVisibleLine(method)})${secrets},`;
    return `${attempt}${target} was blocked before anything was sent.`;
  }
  // Written before the connection is made: whether anything left is known when the attempt is over.
  return `${attempt} was begun, to ${originOf(url)} (${toVisibleLine(method)})${secrets}.`;
}

export function describeAttemptFinished(event: EventOf<"attempt.finished">, context: NarrativeContext): string {
  const { toolCallId, number, durationMs, httpStatus, errorCode, outcome, retryAt, isInterruption } = event;
  const later = event["isPending"] === true ? " Its result is to come by a callback." : "";
  const attempt = `Attempt ${number} of ${context.nameOf(toolCallId)}`;
  const status = httpStatus === undefined ? "" : ` with HTTP status ${httpStatus}`;
  const next = retryAt === undefined ? "" : ` It is tried again at ${retryAt}.`;
  if (isInterruption === true) return `${attempt} was on its way when the gateway was stopped.${next}`;
  if (errorCode === undefined) return `${attempt} was answered${status}${durationText(durationMs)}.${later}${next}`;
  const effect =
    outcome === "unknown"
      ? "; whether it had an effect is not known"
      : outcome === "none" && httpStatus === undefined
        ? "; nothing was sent"
        : "";
  return `${attempt} failed${durationText(durationMs)}${status}: ${toVisibleLine(errorCode)}${effect}.${next}`;
}
