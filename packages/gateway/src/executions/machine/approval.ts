import { type EventLog, toTimestamp } from "./event-log.ts";
import type { ExecutionConfig } from "./execution-config.ts";
import type { Command } from "./inputs.ts";
import { type CallState, isClosing } from "./state.ts";
import { gatewayFailure, toToolError } from "./tool-error.ts";

/** Asks a person whether a call may run. */
export function requestApproval(
  log: EventLog,
  toolCallId: string,
  asked: { readonly approvalId: string; readonly requestHash: string },
  config: ExecutionConfig,
): void {
  const expiresAt = toTimestamp(log.now + config.approvalExpiryMs);
  log.append({ type: "approval.requested", toolCallId, ...asked, expiresAt });
}

/** Records what a person said; nothing when another one was faster, or it is too late. */
export function recordDecision(
  log: EventLog,
  calls: readonly CallState[],
  answer: Extract<Command, { type: "approve" | "deny" }>,
): void {
  const call = calls.find(({ approval }) => approval?.id === answer.approvalId);
  if (call?.approval?.status !== "pending" || log.now >= call.approval.expiresAt) return;
  if (isClosing(log.state)) return;
  const { keyId, isSelfApproval } = answer.by;
  const { approvalId } = answer;
  const asked = { type: "approval.resolved", toolCallId: call.id, approvalId } as const;
  const by = { keyId, ...(isSelfApproval ? { isSelfApproval } : {}) };
  if (answer.type === "deny") {
    const { reason } = answer;
    log.append({ ...asked, status: "denied", ...by, ...(reason === undefined ? {} : { reason }) });
    return;
  }
  const { comment, edit } = answer;
  log.append({ ...asked, status: "approved", ...by, ...(comment === undefined ? {} : { comment }), ...edit });
}

/** Ends a call that was refused, or that nobody answered for in time. */
export function endDenied(log: EventLog, call: CallState): void {
  const { approval } = call;
  if (approval === null) return;
  if (approval.status === "denied") return deny(log, call, "APPROVAL_DENIED", refusalOf(approval.resolution?.reason));
  if (approval.status !== "pending" || log.now < approval.expiresAt) return;
  resolve(log, call, approval.id, "expired");
  deny(log, call, "APPROVAL_EXPIRED", "no person approved this call in time");
}

/** Nobody need answer any more. */
export function withdrawApproval(log: EventLog, call: CallState): void {
  if (call.approval?.status === "pending") resolve(log, call, call.approval.id, "cancelled");
}

function resolve(log: EventLog, call: CallState, approvalId: string, status: "expired" | "cancelled"): void {
  log.append({ type: "approval.resolved", toolCallId: call.id, approvalId, status });
}

function deny(log: EventLog, call: CallState, code: "APPROVAL_DENIED" | "APPROVAL_EXPIRED", message: string): void {
  log.append({
    type: "tool_call.denied",
    toolCallId: call.id,
    error: toToolError(call, gatewayFailure(code, message)),
  });
}

function refusalOf(reason: string | undefined): string {
  return reason === undefined || reason === "" ? "a person refused this call" : `a person refused this call: ${reason}`;
}
