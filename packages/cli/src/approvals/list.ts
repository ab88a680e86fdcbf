import { type Approval, approvalStatusSchema, toVisibleLine, YagateError } from "@yagate/protocol";
import type { Invocation } from "../frame/invocation.ts";
import { table } from "../text/table.ts";
import { wholeNumberOf } from "../whole-number.ts";

const DEFAULT_LIMIT = 50;
const MAX_LIMIT = 200;
const ALL = "all";

export interface ListApprovalsOptions {
  readonly status?: string;
  readonly limit?: string;
}

/**
 * Prints the newest approvals of the workspace.
 *
 * @throws YagateError `INVALID_REQUEST` for an unknown status, or a limit that is out of range.
 */
export async function listApprovals(
  invocation: Invocation,
  { status = "pending", limit = String(DEFAULT_LIMIT) }: ListApprovalsOptions,
): Promise<void> {
  const query = {
    limit: wholeNumberOf(limit, "--limit", { min: 1, max: MAX_LIMIT }),
    ...(status === ALL ? {} : { status: statusOf(status) }),
  };
  const { data, nextCursor } = await (await invocation.client()).approvals.list(query).page();
  invocation.output.result(data, () => describe(data, status));
  if (nextCursor !== null) invocation.output.note("There are more approvals: use --limit and --status.");
}

function statusOf(text: string) {
  const status = approvalStatusSchema.safeParse(text);
  if (status.success) return status.data;
  const known = [...approvalStatusSchema.options, ALL].join(", ");
  throw new YagateError("INVALID_REQUEST", `expected --status to be one of ${known}`);
}

function describe(approvals: readonly Approval[], status: string): string {
  if (approvals.length === 0)
    return status === "pending" ? "No tool call is waiting for approval." : "No approval has this status.";
  const rows = approvals.map(({ id, status: each, requestedAt, expiresAt, tool, agentName, parameters }) => [
    ...[id, each, requestedAt, expiresAt, tool.name, agentName],
    toVisibleLine(JSON.stringify(parameters)),
  ]);
  return table([["ID", "STATUS", "REQUESTED", "EXPIRES", "TOOL", "AGENT", "ARGUMENTS"], ...rows]);
}
