/** Types of events that end an execution. */
export const FINAL_TYPES: ReadonlySet<string> = new Set([
  "execution.completed",
  "execution.failed",
  "execution.cancelled",
]);
