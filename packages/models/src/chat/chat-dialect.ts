import type { ChatCall } from "./repaired-calls.ts";
import type { ChatWords } from "./repaired-message.ts";
import { completeUsage } from "./repaired-usage.ts";

/** As which reader of the AI SDK wants to have chat completions. */
export type ChatDialect = "openai" | "mistral";

type Fields = Readonly<Record<string, unknown>>;

/** A message, or a piece of one, with nothing in it that a reader could trip over. */
export function toMessage(
  { text, reasoning, refusal }: ChatWords,
  calls: readonly ChatCall[],
  dialect: ChatDialect,
): Fields {
  return {
    role: "assistant",
    ...(dialect === "mistral" && reasoning !== ""
      ? { content: [thought(reasoning), ...(text === "" ? [] : [{ type: "text", text }])] }
      : {
          ...(text === "" ? {} : { content: text }),
          ...(reasoning === "" ? {} : { reasoning_content: reasoning }),
        }),
    ...(refusal === "" ? {} : { refusal }),
    ...(calls.length === 0 ? {} : { tool_calls: calls }),
  };
}

function thought(text: string) {
  return { type: "thinking", thinking: [{ type: "text", text }] };
}

/** What stands around the message; `kind` as in `chat.completion`. */
export function toEnvelope(answer: Fields, kind: "chat.completion" | "chat.completion.chunk"): Fields {
  const { id, created, model } = answer;
  return {
    ...(typeof id === "string" || typeof id === "number" ? { id: String(id) } : {}),
    object: kind,
    ...(typeof created === "number" ? { created: Math.trunc(created) } : {}),
    ...(typeof model === "string" ? { model } : {}),
  };
}

/** A whole answer always counts in Mistral's dialect; a piece of a stream need not. */
export function toUsage(usage: Fields | undefined, dialect: ChatDialect, isWhole: boolean): { usage?: Fields } {
  if (dialect === "mistral" && (isWhole || usage !== undefined)) return { usage: completeUsage(usage) };
  return usage === undefined ? {} : { usage };
}
