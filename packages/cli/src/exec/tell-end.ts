import type { ExecutionResult } from "@yagate/client";
import { toVisibleLine } from "@yagate/protocol";

/**
 * Says how an execution ended where that is not as it was asked for, and what it cost where its cost was limited: one turn
 * of a model may pass the limit.
 */
export function tellEnd(result: ExecutionResult, hasCostLimit: boolean): readonly string[] {
  const { id, status, stopReason, error, cost } = result;
  const why = status === "completed" && stopReason === "final" ? [] : [`${status}: ${error?.message ?? stopReason}`];
  const atLeast = cost.isPartial === true ? "at least " : "";
  const price = hasCostLimit ? [`cost ${atLeast}${cost.usd} USD`] : [];
  return [...why, ...price].map((line) => toVisibleLine(`${id} ${line}`));
}
