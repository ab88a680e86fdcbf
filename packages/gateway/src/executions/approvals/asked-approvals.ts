import type { ExecutionEvent } from "@yagate/protocol";
import type { NewApproval } from "@yagate/store/rows/approval-rows";
import type { NewApprovalRequest } from "./approval-request.ts";

/** The rows that belong to the events of a step. */
export function askedApprovals(
  events: readonly ExecutionEvent[],
  drafts: ReadonlyMap<string, NewApprovalRequest>,
): readonly NewApproval[] {
  return events.flatMap((event) => {
    const draft = event.type === "approval.requested" ? drafts.get(event.approvalId) : undefined;
    if (event.type !== "approval.requested" || draft === undefined) return [];
    return [{ ...draft, requestedAt: Date.parse(event.at), expiresAt: Date.parse(event.expiresAt) }];
  });
}
