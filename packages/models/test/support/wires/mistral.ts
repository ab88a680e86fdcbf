import { streamedChat, wholeChat } from "./chat-completions.ts";
import type { WireContent, WireFormat } from "./wire-format.ts";

const DIALECT = {
  model: "mistral-large-latest",
  refused: "stop",
  reasoning: "reasoning_content",
  piecewise: false,
  usageApart: false,
  usage: { prompt_tokens: 11, completion_tokens: 7, total_tokens: 18 },
} as const;

/** Thoughts are parts of the content. */
export function mistralThoughts({ reasoning, ...content }: WireContent): object {
  const thinking = { type: "thinking", thinking: [{ type: "text", text: reasoning ?? "" }] };
  const text = content.text === undefined ? [] : [{ type: "text", text: content.text }];
  const body = JSON.parse(JSON.stringify(wholeChat(content, DIALECT)));
  body.choices[0].message.content = [thinking, ...text];
  return body;
}

/** Calls come whole, in one event; the counts come with the last choice. */
export const mistral: WireFormat = {
  name: "Mistral",
  model: "mistral-large-latest",
  settings: (url) => ({ mistral: { apiKey: "mistral-test", baseUrl: url } }),
  whole: (content) => wholeChat(content, DIALECT),
  stream: (content) => streamedChat(content, DIALECT),
  keyVariable: "MISTRAL_API_KEY",
  refusal: ({ message, code = "3505" }) => ({ object: "error", message, type: "service_error", param: null, code }),
  streamedFault: ({ message, code = "3505" }) => ({ object: "error", message, type: "internal_server_error", code }),
  endingEvents: 2,
  lacks: ["refusals"],
};
