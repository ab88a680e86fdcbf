import { type Approval, approvalStatusSchema, toVisibleLine, toVisibleText, YagateError } from "@yagate/protocol";
import { cutToWidth } from "../display-width.ts";
import { gatewayClient } from "../gateway-client.ts";
import { table } from "../table.ts";

const DEFAULT_LIMIT = 50;
const MAX_LIMIT = 200;
/** Enough to tell rows apart; `show` prints all. */
const MAX_ARGUMENT_COLUMNS = 60;
/** More of them than can be shown, whatever they are. */
const MAX_LOOKED_AT = 2_000;
const ALL = "all";

export interface ListApprovalsOptions {
  readonly status?: string;
  readonly limit?: string;
  readonly json?: boolean;
}

/**
 * Prints the newest approvals of the workspace.
 *
 * @throws YagateError `INVALID_REQUEST` for a status or a number that there is not.
 */
export async function listApprovals({ status = "pending", limit, json = false }: ListApprovalsOptions): Promise<void> {
  const query = { limit: limitOf(limit), ...(status === ALL ? {} : { status: statusOf(status) }) };
  const { data, nextCursor } = await gatewayClient().approvals.list(query).page();
  console.log(json ? toVisibleText(JSON.stringify(data, null, 2)) : describe(data, status));
  if (nextCursor !== null) console.error("There are more: see --limit and --status.");
}

function statusOf(text: string) {
  const status = approvalStatusSchema.safeParse(text);
  if (status.success) return status.data;
  const known = [...approvalStatusSchema.options, ALL].join(", ");
  throw new YagateError("INVALID_REQUEST", `expected --status to be one of ${known}`, { hint: "Nothing was sent." });
}

function limitOf(text: string | undefined): number {
  if (text === undefined) return DEFAULT_LIMIT;
  const limit = Number(text);
  if (Number.isInteger(limit) && limit >= 1 && limit <= MAX_LIMIT) return limit;
  const message = `expected --limit to be a whole number from 1 to ${MAX_LIMIT}`;
  throw new YagateError("INVALID_REQUEST", message, { hint: "Nothing was sent." });
}

function describe(approvals: readonly Approval[], status: string): string {
  if (approvals.length === 0) return status === "pending" ? "Nobody waits for an approval." : "There are none.";
  const rows = approvals.map(({ id, status: each, requestedAt, expiresAt, tool, agentName, parameters }) => [
    ...[id, each, requestedAt, expiresAt, tool.name, agentName],
    cutToWidth(toVisibleLine(JSON.stringify(parameters).slice(0, MAX_LOOKED_AT)), MAX_ARGUMENT_COLUMNS),
  ]);
  return table([["ID", "STATUS", "REQUESTED", "EXPIRES", "TOOL", "AGENT", "ARGUMENTS"], ...rows]);
}
