/** Whether a tool call with this status has ended. */
export function hasFinished(status: string): boolean {
  return status === "completed" || status === "failed" || status === "denied" || status === "cancelled";
}
