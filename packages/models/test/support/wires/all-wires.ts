import { anthropic } from "./anthropic.ts";
import { alibaba, compatibleOpenAi, deepseek, ollama, zai } from "./chat-completions.ts";
import { gemini } from "./gemini.ts";
import { mistral } from "./mistral.ts";
import { openAiResponses } from "./openai-responses.ts";
import type { WireFormat } from "./wire-format.ts";
import { xai } from "./xai.ts";

/** Every wire format that the gateway speaks. */
export const ALL_WIRES: readonly WireFormat[] = [
  openAiResponses,
  anthropic,
  gemini,
  mistral,
  xai,
  deepseek,
  alibaba,
  zai,
  compatibleOpenAi,
  ollama,
];
