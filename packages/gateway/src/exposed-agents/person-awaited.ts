import type { ToolCallRecord } from "@yagate/protocol";
import type { ApprovalPages } from "./approval-pages.ts";

/** A tool call that waits for an approval. */
export interface PendingApproval {
  readonly approvalId: string;
  /** The name of the tool. */
  readonly name: string;
}

export function pendingApprovals(calls: readonly ToolCallRecord[]): readonly PendingApproval[] {
  return calls.flatMap(({ name, approval }) =>
    approval?.status === "pending" ? [{ approvalId: approval.id, name }] : [],
  );
}

/** Returns the calls whose tools wait for the answers of a person. */
export function askingCalls(calls: readonly ToolCallRecord[]): readonly ToolCallRecord[] {
  return calls.filter(({ status }) => status === "waiting_input");
}

/** Says which person an execution waits for; undefined if it waits for none. */
export async function describeWait(
  id: string,
  calls: readonly ToolCallRecord[],
  pages: ApprovalPages,
): Promise<string | undefined> {
  const approvals = pendingApprovals(calls);
  if (approvals.length > 0) {
    const named = await Promise.all(
      approvals.map(async ({ approvalId, name }) => {
        const url = await pages.urlOf(approvalId);
        return `${approvalId} (the call of ${name}${url === undefined ? "" : `, at ${url}`})`;
      }),
    );
    return `The execution ${id} waits until an approver decides: ${named.join(", ")}. This is possible only in Yagate, not here.`;
  }
  const asking = askingCalls(calls);
  if (asking.length === 0) return undefined;
  const named = asking.map((call) => `${call.id} (the call of ${call.name})`).join(", ");
  return `The execution ${id} waits until a person answers the questions of a tool: ${named}. This is possible only in Yagate, not here.`;
}
