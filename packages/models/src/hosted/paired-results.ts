import type { LanguageModelV4Content, LanguageModelV4ToolResult } from "@ai-sdk/provider";
import type { ModelMessage } from "../port.ts";

/** Returns what replaces one part of a response: nothing, the part, or a synthesized tool call followed by the part. */
export type Pairing = (part: LanguageModelV4Content) => readonly LanguageModelV4Content[];

/**
 * Adds the missing call before each provider-run result without one, because a provider would reject a conversation
 * that contains such a result. Also drops approval requests, which can't be granted here.
 *
 * @param awaited - ids of calls from earlier turns that still have no result.
 */
export function createPairing(awaited: ReadonlySet<string>): Pairing {
  const called = new Set(awaited);
  return (part) => {
    if (part.type === "tool-approval-request") return [];
    if (part.type === "tool-call") called.add(part.toolCallId);
    if (part.type !== "tool-result" || called.has(part.toolCallId)) return [part];
    called.add(part.toolCallId);
    return [toMissingCall(part), part];
  };
}

/** Returns the parts of a complete response, with the missing calls and without approval requests. */
export function paired(
  parts: readonly LanguageModelV4Content[],
  awaited: ReadonlySet<string>,
): readonly LanguageModelV4Content[] {
  if (!parts.some(({ type }) => type === "tool-result" || type === "tool-approval-request")) return parts;
  const pair = createPairing(awaited);
  return parts.flatMap((part) => pair(part));
}

function toMissingCall({ toolCallId, toolName }: LanguageModelV4ToolResult) {
  return { type: "tool-call", toolCallId, toolName, input: "{}", providerExecuted: true, dynamic: true } as const;
}

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
