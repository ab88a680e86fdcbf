import type {
  LanguageModelV4,
  LanguageModelV4CallOptions,
  LanguageModelV4Content,
  LanguageModelV4GenerateResult,
  LanguageModelV4StreamPart,
  LanguageModelV4Usage,
} from "@ai-sdk/provider";
import { tokensOfCharacters } from "@yagate/lib/text/token-estimate";
import type { JsonObject } from "@yagate/protocol";

/** The output of a scripted model for one turn. */
export interface ScriptedAnswer {
  readonly text: string;
  readonly toolCalls: readonly { readonly id: string; readonly name: string; readonly parameters: JsonObject }[];
  /** Default: `stop`, or `tool-calls` if there are calls. */
  readonly finishReason?: "length" | undefined;
}

/**
 * Creates a model from a function. The model returns the function's output in one piece, or streams it word by word.
 */
export function createScriptedModel(
  modelId: string,
  answer: (options: LanguageModelV4CallOptions) => ScriptedAnswer,
): LanguageModelV4 {
  return {
    specificationVersion: "v4",
    provider: "scripted",
    modelId,
    supportedUrls: {},
    doGenerate: async (options) => toResult(answer(options), options),
    doStream: async (options) => ({ stream: toStream(toStreamParts(toResult(answer(options), options))) }),
  };
}

function toResult(answer: ScriptedAnswer, options: LanguageModelV4CallOptions): LanguageModelV4GenerateResult {
  const content: LanguageModelV4Content[] = answer.text === "" ? [] : [{ type: "text", text: answer.text }];
  let characters = answer.text.length;
  for (const call of answer.toolCalls) {
    const input = JSON.stringify(call.parameters);
    characters += input.length;
    content.push({ type: "tool-call", toolCallId: call.id, toolName: call.name, input });
  }
  const reason = answer.finishReason ?? (answer.toolCalls.length > 0 ? "tool-calls" : "stop");
  return {
    content,
    finishReason: { unified: reason, raw: reason },
    usage: toUsage(countCharacters(options), characters),
    warnings: [],
  };
}

/** Estimates the usage without a tokenizer: four characters count as one token. */
function toUsage(inputCharacters: number, outputCharacters: number): LanguageModelV4Usage {
  const input = tokensOfCharacters(inputCharacters);
  const output = tokensOfCharacters(outputCharacters);
  return {
    inputTokens: { total: input, noCache: input, cacheRead: 0, cacheWrite: 0 },
    outputTokens: { total: output, text: output, reasoning: 0 },
  };
}

function countCharacters({ prompt }: LanguageModelV4CallOptions): number {
  let characters = 0;
  for (const message of prompt) {
    if (message.role === "system") {
      characters += message.content.length;
      continue;
    }
    for (const part of message.content) {
      if (part.type === "text") characters += part.text.length;
      else if (part.type === "tool-call") characters += JSON.stringify(part.input).length;
      else if (part.type === "tool-result" && "value" in part.output) {
        const { value } = part.output;
        characters += typeof value === "string" ? value.length : JSON.stringify(value).length;
      }
    }
  }
  return characters;
}

function* toStreamParts(result: LanguageModelV4GenerateResult): Generator<LanguageModelV4StreamPart> {
  yield { type: "stream-start", warnings: [] };
  for (const part of result.content) {
    if (part.type === "tool-call") yield part;
    if (part.type !== "text") continue;
    yield { type: "text-start", id: "text" };
    for (const delta of part.text.match(/\s*\S+\s*/g) ?? [part.text]) yield { type: "text-delta", id: "text", delta };
    yield { type: "text-end", id: "text" };
  }
  yield { type: "finish", finishReason: result.finishReason, usage: result.usage };
}

function toStream<T>(parts: Iterable<T>): ReadableStream<T> {
  return new ReadableStream({
    start(controller) {
      for (const part of parts) controller.enqueue(part);
      controller.close();
    },
  });
}
