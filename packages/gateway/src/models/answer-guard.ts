import type { LanguageModelV4, LanguageModelV4FinishReason, LanguageModelV4StreamPart } from "@ai-sdk/provider";
import { z } from "zod";
import { ModelTurnError } from "./port.ts";

// Ends that the AI SDK's compatible provider does not know: Z.AI's, and those of servers that pass others' on.
const MORE_FINISH_REASONS: ReadonlyMap<string, LanguageModelV4FinishReason["unified"]> = new Map([
  ["sensitive", "content-filter"],
  ["refusal", "content-filter"],
  ["safety", "content-filter"],
  ["model_context_window_exceeded", "length"],
  ["max_tokens", "length"],
  ["max_output_tokens", "length"],
  ["content_filter", "content-filter"],
  ["network_error", "error"],
  ["error", "error"],
]);

/**
 * Reads answers that the AI SDK trips over. It takes for granted that an answer has what its schema leaves open, a first
 * choice for instance; the TypeError that follows would look like a defect of ours.
 */
export function withReadableAnswers(model: LanguageModelV4, provider: string): LanguageModelV4 {
  return {
    specificationVersion: "v4",
    provider: model.provider,
    modelId: model.modelId,
    supportedUrls: model.supportedUrls,
    async doGenerate(options) {
      try {
        const answer = await model.doGenerate(options);
        return { ...answer, finishReason: toFinishReason(cutOffIn(answer.response?.body) ?? answer.finishReason) };
      } catch (error) {
        throw toReadingError(error, provider);
      }
    },
    async doStream(options) {
      try {
        const answer = await model.doStream(options);
        return { ...answer, stream: toReadableStream(answer.stream, provider) };
      } catch (error) {
        throw toReadingError(error, provider);
      }
    },
  };
}

function toReadableStream(
  parts: ReadableStream<LanguageModelV4StreamPart>,
  provider: string,
): ReadableStream<LanguageModelV4StreamPart> {
  const reader = parts.getReader();
  return new ReadableStream<LanguageModelV4StreamPart>({
    async pull(controller) {
      try {
        const { done, value } = await reader.read();
        if (done) controller.close();
        else if (value.type === "finish") {
          controller.enqueue({ ...value, finishReason: toFinishReason(value.finishReason) });
        } else controller.enqueue(value);
      } catch (error) {
        controller.error(toReadingError(error, provider));
      }
    },
    cancel: (reason) => reader.cancel(reason),
  });
}

/**
 * How an answer of the Responses API that is not whole ended. The AI SDK's xAI provider says of one with calls that it
 * ended in them, and cut calls must not run.
 */
function cutOffIn(body: unknown): LanguageModelV4FinishReason | undefined {
  const answer = incompleteSchema.safeParse(body).data;
  if (answer === undefined) return undefined;
  const raw = answer.incomplete_details?.reason ?? "incomplete";
  return { unified: MORE_FINISH_REASONS.get(raw) ?? "other", raw };
}

const incompleteSchema = z.looseObject({
  status: z.literal("incomplete"),
  incomplete_details: z.looseObject({ reason: z.string() }).nullish(),
});

function toFinishReason(reason: LanguageModelV4FinishReason): LanguageModelV4FinishReason {
  const unified = reason.unified === "other" ? MORE_FINISH_REASONS.get(reason.raw?.toLowerCase() ?? "") : undefined;
  return unified === undefined ? reason : { ...reason, unified };
}

function toReadingError(error: unknown, provider: string): unknown {
  return isTripped(error)
    ? new ModelTurnError("MODEL_ERROR", `${provider} sent an answer that could not be read`, { cause: error })
    : error;
}

/** A bare error of the reading code. What comes from the network or from the guard has a code, a cause or a class. */
function isTripped(error: unknown): boolean {
  if (!(error instanceof Error) || error.cause !== undefined || "code" in error) return false;
  if (/^(?:terminated|fetch failed)$/.test(error.message)) return false;
  return error instanceof TypeError || Object.getPrototypeOf(error) === Error.prototype;
}
