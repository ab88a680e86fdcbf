/** The message of whatever was thrown, in whichever realm its class is from; empty when it has none. */
export function messageOf(error: unknown): string {
  return typeof error === "object" && error !== null && "message" in error ? String(error.message) : "";
}
