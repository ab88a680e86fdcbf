import type { LanguageModelV4Content, LanguageModelV4ToolResult } from "@ai-sdk/provider";

/** Returns the parts to keep for one part of a response, in order. */
export type Pairing = (part: LanguageModelV4Content) => readonly LanguageModelV4Content[];

/**
 * Pairs every result of a provider-run tool with a call, and drops approval requests, which can't be granted here.
 * Otherwise the provider would reject a conversation with a result without its call.
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

function toMissingCall({ toolCallId, toolName }: LanguageModelV4ToolResult) {
  return { type: "tool-call", toolCallId, toolName, input: "{}", providerExecuted: true, dynamic: true } as const;
}
