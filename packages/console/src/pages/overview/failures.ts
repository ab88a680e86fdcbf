import type { ToolCallSummary } from "@yagate/protocol";

/** Failed calls with the same code and tool. */
export interface FailureGroup {
  readonly code: string;
  readonly tool: string;
  readonly status: string;
  readonly count: number;
  /** The newest of them. */
  readonly latest: ToolCallSummary;
}

/**
 * Groups failed calls by code and tool, the largest group first.
 * @param calls - newest first.
 * @param since - ms since the epoch; older calls are left out.
 */
export function groupFailures(calls: readonly ToolCallSummary[], since: number): readonly FailureGroup[] {
  const groups = new Map<string, FailureGroup>();
  for (const call of calls) {
    if (Date.parse(call.requestedAt) < since) continue;
    const code = call.code ?? call.status;
    const key = `${code} ${call.name}`;
    const known = groups.get(key);
    if (known !== undefined) groups.set(key, { ...known, count: known.count + 1 });
    else groups.set(key, { code, tool: call.name, status: call.status, count: 1, latest: call });
  }
  return [...groups.values()].sort((left, right) => right.count - left.count);
}
