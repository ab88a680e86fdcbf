import type { LanguageModelV4Content, LanguageModelV4ToolResult } from "@ai-sdk/provider";

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
