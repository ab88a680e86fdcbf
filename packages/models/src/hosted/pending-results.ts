import type { ModelMessage } from "../port.ts";

const NONE: ReadonlySet<string> = new Set();

/**
 * Returns the ids of provider-run calls that have no result yet, if the result of their tool may arrive in a later
 * turn.
 */
export function pendingResults(messages: readonly ModelMessage[], deferred: ReadonlySet<string>): ReadonlySet<string> {
  if (deferred.size === 0) return NONE;
  const owed = new Set<string>();
  for (const message of messages) {
    if (message.role !== "assistant") continue;
    for (const part of message.parts) {
      if (part.type === "hosted_call" && deferred.has(part.name)) owed.add(part.providerCallId);
      if (part.type === "hosted_result") owed.delete(part.providerCallId);
    }
  }
  return owed;
}
