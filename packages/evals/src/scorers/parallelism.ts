import type { MadeCall } from "../calls/made-call.ts";

/** Returns the mean number of tool calls of a model turn that called tools; undefined without calls. */
export function scoreParallelism(calls: readonly MadeCall[]): number | undefined {
  if (calls.length === 0) return undefined;
  return calls.length / new Set(calls.map(({ turn }) => turn)).size;
}
