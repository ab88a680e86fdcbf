import type { ExecutionEvent } from "@yagate/protocol";

/** What an append changed, in the order of the characters that stand for it in notices between replicas. */
export const CHANGE_KINDS = ["execution", "tool_call", "approval", "input_request"] as const;
export type ChangeKind = (typeof CHANGE_KINDS)[number];

/** An append of any process that shares the store. */
export interface ExecutionChange {
  readonly executionId: string;
  /** The number of the last event of the append. */
  readonly seq: number;
  readonly kinds: readonly ChangeKind[];
}

/**
 * Receives the appends of all executions, also those of other processes. `missed`: notifications of other processes may
 * have been lost.
 */
export type ChangeListener = (change: ExecutionChange | "missed") => void;

/** Returns what the events of an append changed. */
export function changesIn(entries: readonly { readonly event: ExecutionEvent }[]): readonly ChangeKind[] {
  const kinds = new Set<ChangeKind>();
  for (const { event } of entries) {
    const { type } = event;
    if (type.startsWith("execution.") || type.startsWith("model.")) kinds.add("execution");
    else if (type.startsWith("approval.")) kinds.add("approval").add("tool_call");
    else if (type.startsWith("input.")) kinds.add("input_request").add("tool_call");
    else kinds.add("tool_call");
  }
  return CHANGE_KINDS.filter((kind) => kinds.has(kind));
}
