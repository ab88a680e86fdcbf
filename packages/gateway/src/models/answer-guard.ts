import type { LanguageModelV4, LanguageModelV4FinishReason, LanguageModelV4StreamPart } from "@ai-sdk/provider";
import * as z from "zod";
import { type AnswerForm, nextEventLoopTurn } from "./bounded-answers.ts";
import { createPartBounds } from "./part-bounds.ts";
import { ModelTurnError } from "./port.ts";
import { createCallIdCheck } from "./streamed-call-ids.ts";

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
 * choice for instance; the TypeError that follows would look like a defect of ours. And it makes whatever it is sent, so
 * the parts of an answer are bounded before it goes on with them.
 *
 * @param models - the same model, for answers that come at once and for those that are streamed.
 */
export function withReadableAnswers(
  models: { readonly [form in AnswerForm]: LanguageModelV4 },
  provider: string,
): LanguageModelV4 {
  const { whole, streamed } = models;
  return {
    specificationVersion: "v4",
    provider: whole.provider,
    modelId: whole.modelId,
    supportedUrls: whole.supportedUrls,
    async doGenerate(options) {
      try {
        const answer = await whole.doGenerate(options);
        const bound = createPartBounds(provider);
        return {
          ...answer,
          content: answer.content.map((part) => bound(part)),
          finishReason: toFinishReason(cutOffIn(answer.response?.body) ?? answer.finishReason),
        };
      } catch (error) {
        throw toReadingError(error, provider);
      }
    },
    async doStream(options) {
      try {
        const answer = await streamed.doStream({ ...options, includeRawChunks: true });
        return { ...answer, stream: toReadableStream(answer.stream, provider) };
      } catch (error) {
        throw toReadingError(error, provider);
      }
    },
  };
}

/** After so many parts others get their turn: one piece of a stream may become thousands. */
const PARTS_OF_A_TURN = 256;

function toReadableStream(
  parts: ReadableStream<LanguageModelV4StreamPart>,
  provider: string,
): ReadableStream<LanguageModelV4StreamPart> {
  const reader = parts.getReader();
  const checkCallId = createCallIdCheck(provider);
  const bound = createPartBounds(provider);
  let partsRead = 0;

  async function next(): Promise<LanguageModelV4StreamPart | undefined> {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return undefined;
      partsRead += 1;
      if (partsRead % PARTS_OF_A_TURN === 0) await nextEventLoopTurn();
      checkCallId(value);
      if (value.type !== "raw") return toReadablePart(bound(value));
    }
  }

  return new ReadableStream<LanguageModelV4StreamPart>({
    async pull(controller) {
      try {
        const part = await next();
        if (part === undefined) controller.close();
        else controller.enqueue(part);
      } catch (error) {
        controller.error(toReadingError(error, provider));
        await reader.cancel(error).catch(() => {});
      }
    },
    cancel: (reason) => reader.cancel(reason),
  });
}

function toReadablePart(part: LanguageModelV4StreamPart): LanguageModelV4StreamPart {
  return part.type === "finish" ? { ...part, finishReason: toFinishReason(part.finishReason) } : part;
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
  return error instanceof TypeError || isOutOfStack(error) || Object.getPrototypeOf(error) === Error.prototype;
}

/** Values that are nested too deeply for code that calls itself. */
function isOutOfStack(error: Error): boolean {
  return error instanceof RangeError && error.message === "Maximum call stack size exceeded";
}
