import type { LanguageModelV4Content, LanguageModelV4StreamPart } from "@ai-sdk/provider";

/** Maps the parts of one reply so that all call ids differ. */
export type DistinctCallIds = <Part extends LanguageModelV4Content | LanguageModelV4StreamPart>(part: Part) => Part;

/**
 * Gives each call with a missing or duplicate id a new id. Results are matched to calls by id, and the AI SDK would
 * treat two calls with one id as the same call. Provider-run calls keep their ids, because their results refer to them.
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
