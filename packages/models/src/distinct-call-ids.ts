import type { LanguageModelV4Content, LanguageModelV4StreamPart } from "@ai-sdk/provider";

/** Maps the parts of one reply. */
export type DistinctCallIds = <Part extends LanguageModelV4Content | LanguageModelV4StreamPart>(part: Part) => Part;

/**
 * Gives each call with a missing or duplicate id an id of its own: results are matched by id, and the AI SDK would
 * treat two calls with one id as the same call. Provider-run calls keep their ids, which their results refer to.
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
