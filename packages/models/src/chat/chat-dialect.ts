import type { ChatCall } from "./repaired-calls.ts";
import type { ChatWords } from "./repaired-message.ts";
import { completeUsage } from "./repaired-usage.ts";

/** The AI SDK provider that will parse the chat completion. */
export type ChatDialect = "openai" | "mistral";

type Fields = Readonly<Record<string, unknown>>;

/** Builds a message, or a chunk of one, in the form that the parser of the dialect expects. */
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

/**
 * Builds the object that contains the message, with the id, time and model of the response.
 *
 * @param kind - the value of the field `object`.
 */
export function toEnvelope(answer: Fields, kind: "chat.completion" | "chat.completion.chunk"): Fields {
  const { id, created, model } = answer;
  return {
    ...(typeof id === "string" || typeof id === "number" ? { id: String(id) } : {}),
    object: kind,
    ...(typeof created === "number" ? { created: Math.trunc(created) } : {}),
    ...(typeof model === "string" ? { model } : {}),
  };
}

/**
 * Builds the usage field. In Mistral's dialect, a complete response always has this field; a chunk of a stream may lack
 * it.
 */
export function toUsage(usage: Fields | undefined, dialect: ChatDialect, isWhole: boolean): { usage?: Fields } {
  if (dialect === "mistral" && (isWhole || usage !== undefined)) return { usage: completeUsage(usage) };
  return usage === undefined ? {} : { usage };
}
