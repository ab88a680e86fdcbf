import type {
  LanguageModelV4,
  LanguageModelV4Content,
  LanguageModelV4StreamPart,
  LanguageModelV4ToolResult,
} from "@ai-sdk/provider";

type Part = LanguageModelV4Content | LanguageModelV4StreamPart;

/**
 * Pairs every result of a provider-run tool with a call, and drops approval requests, which can't be granted here.
 * Without this, the AI SDK would throw an internal error, and the provider would reject a conversation that contains a
 * result without its call.
 *
 * @param awaited - ids of calls from earlier turns that still have no result.
 */
export function withPairedResults(model: LanguageModelV4, awaited: ReadonlySet<string>): LanguageModelV4 {
  return {
    specificationVersion: "v4",
    provider: model.provider,
    modelId: model.modelId,
    supportedUrls: model.supportedUrls,
    async doGenerate(options) {
      const answer = await model.doGenerate(options);
      const pair = createPairing(awaited);
      return { ...answer, content: answer.content.flatMap((part) => pair(part)) };
    },
    async doStream(options) {
      const answer = await model.doStream(options);
      const pair = createPairing(awaited);
      const pairing = new TransformStream<LanguageModelV4StreamPart, LanguageModelV4StreamPart>({
        transform(part, controller) {
          for (const paired of pair(part)) controller.enqueue(paired);
        },
      });
      return { ...answer, stream: answer.stream.pipeThrough(pairing) };
    },
  };
}

function createPairing(awaited: ReadonlySet<string>) {
  const called = new Set(awaited);
  return <P extends Part>(part: P): (P | ReturnType<typeof toMissingCall>)[] => {
    if (part.type === "tool-approval-request") return [];
    if (part.type === "tool-call") called.add(part.toolCallId);
    if (part.type !== "tool-result" || called.has(part.toolCallId)) return [part];
    called.add(part.toolCallId);
    return [toMissingCall(part), part];
  };
}

function toMissingCall({ toolCallId, toolName }: LanguageModelV4ToolResult) {
  return { type: "tool-call", toolCallId, toolName, input: "{}", providerExecuted: true, dynamic: true } as const;
}
