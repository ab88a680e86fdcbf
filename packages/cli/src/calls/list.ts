import type { ToolCallSummary } from "@yagate/client";
import { defined } from "@yagate/lib/objects/defined";
import { toolCallStatusSchema, YagateError } from "@yagate/protocol";
import type { Invocation } from "../frame/invocation.ts";
import { listLimitOf } from "../list-limit.ts";
import { printList } from "../print-list.ts";
import { table } from "../text/table.ts";

const PAGE_LIMIT = 200;

export interface ListCallsOptions {
  readonly status?: string;
  readonly tool?: string;
  readonly code?: string;
  readonly limit?: string;
}

/**
 * Prints the workspace's tool calls, newest first, as columns or as one line of JSON each.
 *
 * @throws YagateError `INVALID_REQUEST` for an unknown status.
 */
export async function listCalls(invocation: Invocation, options: ListCallsOptions): Promise<void> {
  const { status, tool, code } = options;
  const { output } = invocation;
  const limit = listLimitOf(options.limit, output);
  const calls = (await invocation.client()).toolCalls.list({
    limit: Math.min(PAGE_LIMIT, limit + 1),
    ...(status === undefined ? {} : { status: statusOf(status) }),
    ...defined({ tool, code }),
  });
  await printList(output, calls, { limit, describe, more: "There are more calls: use --limit and the filters." });
}

function statusOf(text: string) {
  const status = toolCallStatusSchema.safeParse(text);
  if (status.success) return status.data;
  const known = toolCallStatusSchema.options.join(", ");
  throw new YagateError("INVALID_REQUEST", `expected --status to be one of ${known}`);
}

function describe(calls: readonly ToolCallSummary[]): string {
  if (calls.length === 0) return "No tool call matches.";
  const rows = calls.map(({ id, requestedAt, name, status, code, executionId }) => [
    ...[id, requestedAt, name, status, code ?? "-", executionId],
  ]);
  return table([["ID", "REQUESTED", "TOOL", "STATUS", "CODE", "EXECUTION"], ...rows]);
}
