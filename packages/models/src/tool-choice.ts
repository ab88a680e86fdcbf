import type { LanguageModelV4, LanguageModelV4CallOptions } from "@ai-sdk/provider";
import { type ModelTurn, ModelTurnError, type ModelTurnRequest } from "./port.ts";

type ToolChoice = ModelTurnRequest["toolChoice"];

/**
 * Wraps a model to set a tool choice on the request, bypassing the AI SDK. The SDK discards any reply that does not
 * comply, even a refusal or a truncated reply under `required`.
 */
export function withToolChoice(model: LanguageModelV4, choice: ToolChoice): LanguageModelV4 {
  if (choice === "auto") return model;
  const withChoice = (options: LanguageModelV4CallOptions) => ({ ...options, toolChoice: { type: choice } });
  return {
    specificationVersion: "v4",
    provider: model.provider,
    modelId: model.modelId,
    supportedUrls: model.supportedUrls,
    doGenerate: (options) => model.doGenerate(withChoice(options)),
    doStream: (options) => model.doStream(withChoice(options)),
  };
}

/**
 * Checks that a complete reply complies with the tool choice.
 *
 * @throws ModelTurnError `MODEL_ERROR` if it does not.
 */
export function assertToolChoice(
  turn: Pick<ModelTurn, "toolCalls" | "hostedCalls" | "finishReason">,
  choice: ToolChoice,
): void {
  if (choice === "none" && turn.toolCalls.length > 0) {
    throw new ModelTurnError("MODEL_ERROR", "the model called a tool although none was allowed");
  }
  const called = turn.toolCalls.length + turn.hostedCalls.length;
  if (choice === "required" && called === 0 && turn.finishReason === "stop") {
    throw new ModelTurnError("MODEL_ERROR", "the model called no tool although one was required");
  }
}
