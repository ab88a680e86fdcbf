import type { ExecutionResult } from "@yagate/client";
import { toVisibleLine } from "@yagate/protocol";

/**
 * Describes why an execution stopped early, if it did. If its cost was limited, adds the cost, because one model turn
 * may exceed the limit.
 */
export function describeEnd(result: ExecutionResult, hasCostLimit: boolean): readonly string[] {
  const { id, status, stopReason, error, cost } = result;
  const why = status === "completed" && stopReason === "final" ? [] : [`${status}: ${error?.message ?? stopReason}`];
  const atLeast = cost.isPartial === true ? "at least " : "";
  const price = hasCostLimit ? [`cost ${atLeast}${cost.usd} USD`] : [];
  return [...why, ...price].map((line) => toVisibleLine(`${id} ${line}`));
}
