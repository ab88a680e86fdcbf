/** The message of any thrown value, of any realm; empty if it has none. */
export function messageOf(error: unknown): string {
  return typeof error === "object" && error !== null && "message" in error ? String(error.message) : "";
}
