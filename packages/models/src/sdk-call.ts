import { setTimeout as sleep } from "node:timers/promises";
import { defined } from "@yagate/lib/objects/defined";
import { generateText, experimental_streamLanguageModelCall as streamLanguageModelCall, type ToolSet } from "ai";
import { withPairedResults } from "./hosted/paired-results.ts";
import { pendingResults } from "./hosted/pending-results.ts";
import { toSdkMessages } from "./message-conversion.ts";
import { type ErrorSource, toStreamError } from "./model-errors.ts";
import { type ModelMessage, ModelTurnError, type ModelTurnRequest } from "./port.ts";
import type { ModelTarget } from "./provider-registry.ts";
import { assertFinished, assertToolsWereSent } from "./response-checks.ts";
import { type NotedResponse, noteResponse, toResponse, withNotedResponse } from "./response-note.ts";
import { withToolChoice } from "./tool-choice.ts";
import type { SdkAnswer } from "./turn-conversion.ts";

export type SdkCall = ReturnType<typeof toSdkCall>;

/** Builds one request to a provider. The SDK adds no further steps, retries or tool runs. */
export function toSdkCall(
  target: ModelTarget,
  request: Pick<ModelTurnRequest, "toolChoice" | "maxOutputTokens" | "signal" | "systemPrompt">,
  { messages, tools }: { readonly messages: readonly ModelMessage[]; readonly tools: ToolSet },
) {
  return {
    model: withPairedResults(withToolChoice(target.model, request.toolChoice), pendingResults(messages, tools)),
    messages: toSdkMessages(messages),
    tools,
    providerOptions: target.providerOptions,
    maxRetries: 0,
    abortSignal: request.signal,
    // Without telemetry, a turn takes half the CPU time. No listener is registered anyway.
    telemetry: { isEnabled: false },
    // Without this, the SDK would download a file that a provider refers to by URL, bypassing the egress guard.
    experimental_download: refuseDownload,
    ...defined({ maxOutputTokens: request.maxOutputTokens }),
    ...(request.systemPrompt === "" ? {} : { instructions: request.systemPrompt }),
  };
}

/** Requests a complete response. */
export async function generate(call: SdkCall, source: ErrorSource): Promise<SdkAnswer> {
  const noted: NotedResponse = {};
  const model = withNotedResponse(call.model, noted);
  const { content, finishReason, rawFinishReason, usage, providerMetadata, warnings } = await generateText({
    ...call,
    model,
  });
  assertToolsWereSent(warnings, source);
  return { content, finishReason, rawFinishReason, usage, providerMetadata, ...toResponse(noted) };
}

const NO_USAGE: SdkAnswer["usage"] = { inputTokens: undefined, outputTokens: undefined };

/** Receives a response as it arrives. */
export interface StreamListener {
  readonly onTextDelta: (text: string) => void;
  /** Called with the first chunk of the response. From then on the provider charges for it. */
  readonly onBegin: () => void;
  /** Called with the usage of a response that failed midway, if the usage still arrives. */
  readonly onFailedEnd: (answer: SdkAnswer) => void;
}

/** How long to wait for the usage of a failed response, because some servers leave the connection open. */
const REST_OF_FAILED_MS = 1_000;

type StreamPart =
  Awaited<ReturnType<typeof streamLanguageModelCall>>["stream"] extends AsyncIterable<infer Part> ? Part : never;

/**
 * Requests a streamed response. It does not use streamText, which runs a loop of steps and takes 0.35 ms of CPU time
 * per turn instead of 0.04 (November 2026).
 */
export async function stream(call: SdkCall, listener: StreamListener, source: ErrorSource): Promise<SdkAnswer> {
  const { telemetry: _telemetry, maxRetries: _maxRetries, experimental_download: download, ...options } = call;
  let content: SdkAnswer["content"] = [];
  let end: Omit<SdkAnswer, "content"> | undefined;
  const noted: NotedResponse = {};
  const { stream } = await streamLanguageModelCall({
    ...options,
    download,
    onLanguageModelCallEnd: (event) => {
      content = event.content;
    },
  });
  const parts = stream[Symbol.asyncIterator]();
  for (let next = await parts.next(); next.done !== true; next = await parts.next()) {
    const part = next.value;
    switch (part.type) {
      case "model-call-start":
        assertToolsWereSent(part.warnings, source);
        break;
      case "model-call-response-metadata":
        noteResponse(noted, part);
        break;
      case "text-delta":
        listener.onBegin();
        if (part.text !== "") listener.onTextDelta(part.text);
        break;
      case "error":
        listener.onBegin();
        end ??= await endOfRest(parts);
        if (end !== undefined) listener.onFailedEnd({ ...end, content: [] });
        throw toStreamError(part.error, source);
      case "model-call-end":
        end = part;
        break;
      default:
        listener.onBegin();
    }
  }
  return {
    finishReason: "interrupted",
    rawFinishReason: undefined,
    usage: NO_USAGE,
    ...end,
    content,
    ...toResponse(noted),
  };
}

async function endOfRest(parts: AsyncIterator<StreamPart>): Promise<Omit<SdkAnswer, "content"> | undefined> {
  const timeout = new AbortController();
  const over = sleep(REST_OF_FAILED_MS, undefined, { signal: timeout.signal }).catch(() => undefined);
  try {
    return await Promise.race([endIn(parts), over]);
  } finally {
    timeout.abort();
    void Promise.resolve(parts.return?.()).catch(() => undefined);
  }
}

async function endIn(parts: AsyncIterator<StreamPart>): Promise<Omit<SdkAnswer, "content"> | undefined> {
  try {
    for (let next = await parts.next(); next.done !== true; next = await parts.next()) {
      if (next.value.type === "model-call-end") return next.value;
    }
  } catch {
    // Keep the first error: a later one does not explain why the response failed.
  }
  return undefined;
}

/**
 * Throws if a response is incomplete. A response that was not streamed and only lacks the finish reason counts as
 * complete.
 */
export function assertWhole(answer: SdkAnswer, source: ErrorSource, { isStreamed }: { isStreamed: boolean }): void {
  assertFinished(answer, source, { mayBeSilent: !isStreamed && answer.content.length > 0 });
}

// The SDK calls this in every turn, usually with nothing to download.
async function refuseDownload(files: readonly unknown[]): Promise<never[]> {
  if (files.length === 0) return [];
  throw new ModelTurnError("MODEL_ERROR", "the model replied with a file to download, which is not supported");
}
