import type { LanguageModelV4StreamPart } from "@ai-sdk/provider";
import * as z from "zod";
import { repeatedCallId } from "./answer-checks.ts";

/**
 * Finds a call with the id of another in a stream of chat completions, where the AI SDK gives it a new one: the same
 * call, sent twice by mistake, would run twice. Needs the raw pieces beside the parts that are made of them.
 */
export function createCallIdCheck(provider: string): (part: LanguageModelV4StreamPart) => void {
  const sent = new Set<string>();
  let hasIds = false;
  return (part) => {
    if (part.type === "raw") {
      const ids = callIdsIn(part.rawValue);
      for (const id of ids) if (id !== "") sent.add(id);
      // A call that came without an id is given one rightly.
      hasIds = ids.length > 0 && !ids.includes("");
    } else if (part.type === "tool-input-start" && hasIds && !sent.has(part.id)) throw repeatedCallId(provider);
  };
}

function callIdsIn(piece: unknown): readonly string[] {
  const choices = pieceSchema.safeParse(piece).data?.choices ?? [];
  return (choices[0]?.delta?.tool_calls ?? []).map(({ id }) => (id?.trim() === "" ? "" : (id ?? "")));
}

const pieceSchema = z.object({
  choices: z.array(
    z.object({
      delta: z.object({ tool_calls: z.array(z.object({ id: z.string().nullish() })).nullish() }).nullish(),
    }),
  ),
});
