import type { LanguageModelV4Content, LanguageModelV4StreamPart } from "@ai-sdk/provider";

/** Maps a part of one reply so that all call ids in the reply differ. */
export type DistinctCallIds = <Part extends LanguageModelV4Content | LanguageModelV4StreamPart>(part: Part) => Part;

/**
 * Replaces missing and duplicate ids of calls. Results are matched to calls by id, and the AI SDK would treat two calls
 * with the same id as one. Provider-run calls keep their ids, because their results refer to them.
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
