import type { LanguageModelV4, LanguageModelV4FinishReason, LanguageModelV4StreamPart } from "@ai-sdk/provider";
import { yieldToEventLoop } from "@yagate/lib/async/event-loop";
import * as z from "zod";
import { callOff } from "./call-off.ts";
import { createDistinctCallIds } from "./distinct-call-ids.ts";
import { createPartBounds } from "./part-bounds.ts";
import { ModelTurnError } from "./port.ts";
import { toStreamedReply } from "./streamed-reply.ts";
import { unreadableReason } from "./unreadable-reason.ts";
import { WholeReply } from "./whole-reply.ts";

// Finish reasons of Z.AI, and of servers that relay other APIs, which the AI SDK's compatible provider does not know.
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
  ["abort", "error"],
  ["aborted", "error"],
  ["cancelled", "error"],
  ["timeout", "error"],
]);

/**
 * A model for complete responses, a model for streamed responses, and a function for responses that have already
 * arrived.
 */
export interface ModelForms {
  /** Requests complete responses. */
  readonly whole: LanguageModelV4;
  readonly streamed: LanguageModelV4;
  /** Creates a model that parses a complete response that a server sent to a streaming request. */
  readonly reply: (response: Response) => LanguageModelV4;
}

/** Dependencies for parsing the responses of one provider. */
interface Reading {
  readonly provider: string;
  /** Creates an id for a call whose id is missing or a duplicate. */
  readonly newCallId: () => string;
}

/**
 * Wraps a model so that no response can crash the AI SDK. The SDK relies on values that its schema leaves optional,
 * such as a first choice. If one is missing, the resulting TypeError would look like a defect in the gateway. The SDK
 * also processes responses of any size, so the wrapper limits their parts first.
 */
export function withNormalizedResponses({ whole, streamed, reply }: ModelForms, reading: Reading): LanguageModelV4 {
  const { provider } = reading;
  return {
    ...withReadableWhole(whole, reading),
    async doStream(options) {
      try {
        const answer = await streamed.doStream(options);
        return { ...answer, stream: toReadableStream(answer.stream, reading) };
      } catch (error) {
        if (!(error instanceof WholeReply)) throw toReadingError(error, provider);
        const model = withReadableWhole(reply(error.response), reading);
        return { stream: toStreamedReply(await model.doGenerate(options)) };
      }
    },
  };
}

function withReadableWhole(model: LanguageModelV4, { provider, newCallId }: Reading): LanguageModelV4 {
  return {
    specificationVersion: "v4",
    provider: model.provider,
    modelId: model.modelId,
    supportedUrls: model.supportedUrls,
    async doGenerate(options) {
      try {
        const answer = await model.doGenerate(options);
        const bound = createPartBounds(provider);
        const withOwnId = createDistinctCallIds(newCallId);
        return {
          ...answer,
          content: answer.content.map((part) => withOwnId(bound(part))),
          finishReason: toFinishReason(cutOffIn(answer.response?.body) ?? answer.finishReason),
        };
      } catch (error) {
        throw toReadingError(error, provider);
      }
    },
    doStream: (options) => model.doStream(options),
  };
}

/** Yields to the event loop after this many parts, because one chunk of a stream may contain thousands. */
const PARTS_OF_A_TURN = 256;

function toReadableStream(
  parts: ReadableStream<LanguageModelV4StreamPart>,
  { provider, newCallId }: Reading,
): ReadableStream<LanguageModelV4StreamPart> {
  const reader = parts.getReader();
  const bound = createPartBounds(provider);
  const withOwnId = createDistinctCallIds(newCallId);
  let partsRead = 0;

  async function next(): Promise<LanguageModelV4StreamPart | undefined> {
    const { done, value } = await reader.read();
    if (done) return undefined;
    partsRead += 1;
    if (partsRead % PARTS_OF_A_TURN === 0) await yieldToEventLoop();
    return toReadablePart(withOwnId(bound(value)));
  }

  return new ReadableStream<LanguageModelV4StreamPart>({
    async pull(controller) {
      try {
        const part = await next();
        if (part === undefined) controller.close();
        else controller.enqueue(part);
      } catch (error) {
        controller.error(toReadingError(error, provider));
        callOff(reader, error);
      }
    },
    cancel: (reason) => reader.cancel(reason),
  });
}

function toReadablePart(part: LanguageModelV4StreamPart): LanguageModelV4StreamPart {
  return part.type === "finish" ? { ...part, finishReason: toFinishReason(part.finishReason) } : part;
}

/**
 * Reads the finish reason of an incomplete response from the Responses API; undefined for a complete one. The AI SDK's
 * xAI provider reports `tool-calls` for an incomplete response that contains calls, but truncated calls must not run.
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
  if (!isTripped(error)) return error;
  const message = `${provider} sent an invalid response`;
  return new ModelTurnError("MODEL_ERROR", message, { developerMessage: unreadableReason(error), cause: error });
}

/**
 * Checks whether the parsing code threw the error. Errors of the network or the egress guard have a code, a cause or a
 * specific class.
 */
function isTripped(error: unknown): boolean {
  if (!(error instanceof Error) || error.cause !== undefined || "code" in error) return false;
  if (/^(?:terminated|fetch failed)$/.test(error.message)) return false;
  return error instanceof TypeError || isOutOfStack(error) || Object.getPrototypeOf(error) === Error.prototype;
}

/** Checks whether recursive code overflowed the stack on deeply nested values. */
function isOutOfStack(error: Error): boolean {
  return error instanceof RangeError && error.message === "Maximum call stack size exceeded";
}
