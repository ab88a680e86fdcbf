import type { Approval, ApprovalQuery, ApprovalResolution, ApprovalStatus, Page } from "@yagate/protocol";

/** What whoever approves is shown, as it was when they were asked. */
export type ApprovalDetails = Pick<
  Approval,
  | "agentId"
  | "agentVersion"
  | "agentName"
  | "tool"
  | "policyReason"
  | "parameters"
  | "request"
  | "requestHash"
  | "inputPreview"
>;

/** A call that a person is asked about, written in the commit of its `approval.requested`. */
export interface NewApproval {
  readonly id: string;
  readonly workspaceId: string;
  readonly executionId: string;
  readonly toolCallId: string;
  /** ms since the epoch, as below. */
  readonly requestedAt: number;
  readonly expiresAt: number;
  readonly details: ApprovalDetails;
}

/** The same with what came of it, which follows from its `approval.resolved` in the commit of that event. */
export interface ApprovalRow extends NewApproval {
  readonly status: ApprovalStatus;
  readonly resolution: ApprovalResolution | null;
}

/** Calls that people are asked about. They are written with the events of their executions, see {@link Append}. */
export interface ApprovalStore {
  find(workspaceId: string, approvalId: string): Promise<ApprovalRow | undefined>;
  /** Newest first; of one status, or of all. */
  list(workspaceId: string, query: ApprovalQuery): Promise<Page<ApprovalRow>>;
}
