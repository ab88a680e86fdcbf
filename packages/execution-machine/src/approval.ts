import { type EventLog, toTimestamp } from "./event-log.ts";
import type { ExecutionConfig } from "./execution-config.ts";
import type { Command } from "./inputs.ts";
import { type CallState, isClosing } from "./state.ts";
import { gatewayFailure, toToolError } from "./tool-error.ts";

/** Records that a call needs an approval. */
export function requestApproval(
  log: EventLog,
  toolCallId: string,
  request: { readonly approvalId: string; readonly requestHash: string },
  config: ExecutionConfig,
): void {
  const expiresAt = toTimestamp(log.now + config.approvalExpiryMs);
  log.append({ type: "approval.requested", toolCallId, ...request, expiresAt });
}

/** Records a person's decision. Does nothing if the approval was already decided or has expired. */
export function recordDecision(
  log: EventLog,
  calls: readonly CallState[],
  decision: Extract<Command, { type: "approve" | "deny" }>,
): void {
  const call = calls.find(({ approval }) => approval?.id === decision.approvalId);
  if (call?.approval?.status !== "pending" || log.now >= call.approval.expiresAt) return;
  if (isClosing(log.state)) return;
  const { keyId, isSelfApproval } = decision.by;
  const { approvalId } = decision;
  const resolved = { type: "approval.resolved", toolCallId: call.id, approvalId } as const;
  const by = { keyId, ...(isSelfApproval ? { isSelfApproval } : {}) };
  if (decision.type === "deny") {
    const { reason } = decision;
    log.append({ ...resolved, status: "denied", ...by, ...(reason === undefined ? {} : { reason }) });
    return;
  }
  const { comment, edit } = decision;
  log.append({ ...resolved, status: "approved", ...by, ...(comment === undefined ? {} : { comment }), ...edit });
}

/** Ends a call that was denied or whose approval has expired. */
export function endDenied(log: EventLog, call: CallState): void {
  const { approval } = call;
  if (approval === null) return;
  if (approval.status === "denied") return deny(log, call, "APPROVAL_DENIED", denialOf(approval.resolution?.reason));
  if (approval.status !== "pending" || log.now < approval.expiresAt) return;
  resolve(log, call, approval.id, "expired");
  deny(log, call, "APPROVAL_EXPIRED", "no person approved this call in time");
}

/** Ends a call that waits for an approval and whose tool may no longer run. Does nothing if it no longer waits. */
export function endWithdrawn(
  log: EventLog,
  calls: readonly CallState[],
  { approvalId, failure }: Extract<Command, { type: "withdraw" }>,
): void {
  const call = calls.find(({ approval }) => approval?.id === approvalId);
  if (call?.approval?.status !== "pending" || isClosing(log.state)) return;
  resolve(log, call, approvalId, "expired");
  log.append({ type: "tool_call.failed", toolCallId: call.id, error: toToolError(call, failure) });
}

/** Cancels the call's approval if it is still pending. */
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

function denialOf(reason: string | undefined): string {
  return reason === undefined || reason === "" ? "a person denied this call" : `a person denied this call: ${reason}`;
}
