import type { LanguageModelV4Content, LanguageModelV4StreamPart } from "@ai-sdk/provider";

/** Passes the parts of one answer on. */
export type DistinctCallIds = <Part extends LanguageModelV4Content | LanguageModelV4StreamPart>(part: Part) => Part;

/**
 * Gives each call of an answer that has no id, or that of an earlier call, an id of its own: results are matched by
 * them, and the AI SDK would take two calls with one id for the same call twice. Calls that the provider ran itself keep
 * theirs, which their results carry.
 */
export function createDistinctCallIds(newCallId: () => string): DistinctCallIds {
  const taken = new Set<string>();
  return (part) => {
    if (part.type !== "tool-call") return part;
    const isUsable = part.toolCallId !== "" && !taken.has(part.toolCallId);
    let toolCallId = part.toolCallId;
    if (part.providerExecuted !== true && !isUsable) {
      do toolCallId = newCallId();
      while (taken.has(toolCallId));
    }
    taken.add(toolCallId);
    return { ...part, toolCallId };
  };
}
