import type {
  LanguageModelV4,
  LanguageModelV4CallOptions,
  LanguageModelV4GenerateResult,
  LanguageModelV4StreamPart,
} from "@ai-sdk/provider";
import { defined } from "@yagate/lib/objects/defined";
import { callOff } from "./call-off.ts";
import { assertNoDownload } from "./generated-file.ts";
import { createPairing, paired, pendingResults } from "./hosted/paired-results.ts";
import { type ErrorSource, toStreamError } from "./model-errors.ts";
import type { ModelMessage, ModelTurnRequest } from "./port.ts";
import { toPrompt } from "./prompt-conversion.ts";
import type { ModelTarget } from "./provider-registry.ts";
import { assertFinished, assertToolsWereSent } from "./response-checks.ts";
import { type NotedResponse, noteResponse, toResponse } from "./response-note.ts";
import { StreamedContent } from "./streamed-content.ts";
import type { ProviderTools } from "./tool-set.ts";
import type { ProviderReply } from "./turn-conversion.ts";
import { providerUsage } from "./turn-usage.ts";

/** One request to a provider, as a call to the interface `LanguageModelV4`. */
export interface ProviderCall {
  readonly model: LanguageModelV4;
  readonly options: LanguageModelV4CallOptions;
  /** Provider-run calls of earlier turns that still have no result. */
  readonly awaited: ReadonlySet<string>;
  readonly source: ErrorSource;
}

/** Creates one request to a provider. */
export function toProviderCall(
  { model, providerOptions, source }: ModelTarget,
  request: Pick<ModelTurnRequest, "toolChoice" | "maxOutputTokens" | "signal" | "systemPrompt">,
  { messages, tools }: { readonly messages: readonly ModelMessage[]; readonly tools: ProviderTools },
): ProviderCall {
  const { toolChoice, maxOutputTokens, signal, systemPrompt } = request;
  return {
    model,
    options: {
      prompt: toPrompt(systemPrompt, messages, tools.search),
      toolChoice: { type: toolChoice },
      abortSignal: signal,
      ...(tools.definitions.length === 0 ? {} : { tools: tools.definitions }),
      ...defined({ maxOutputTokens, providerOptions }),
    },
    awaited: pendingResults(messages, tools.deferred),
    source,
  };
}

/** Reads a complete response. */
export function toReply(
  { awaited, source }: ProviderCall,
  { content, finishReason, usage, providerMetadata, warnings, response }: LanguageModelV4GenerateResult,
): ProviderReply {
  assertToolsWereSent(warnings, source);
  for (const part of content) assertNoDownload(part);
  const noted: NotedResponse = {};
  noteResponse(noted, response);
  return { content: paired(content, awaited), finishReason, usage, providerMetadata, ...toResponse(noted) };
}

/** Receives a response as it arrives. */
export interface StreamListener {
  readonly onTextDelta: (text: string) => void;
  /** Called with the first chunk of the response, because the provider charges for a response that has started. */
  readonly onBegin: () => void;
  /** Called with the usage of a response that failed midway, if the usage still arrives. */
  readonly onFailedEnd: (reply: ProviderReply) => void;
}

/**
 * Maximum time in ms to wait for the usage of a failed response. Limited because some servers leave the connection
 * open.
 */
const REST_OF_FAILED_MS = 1_000;

type PartReader = ReadableStreamDefaultReader<LanguageModelV4StreamPart>;
type End = Pick<ProviderReply, "finishReason" | "usage" | "providerMetadata">;

const INTERRUPTED: End = {
  finishReason: { unified: "interrupted", raw: undefined },
  usage: providerUsage(undefined, undefined),
};

/** Requests a streamed response and reads it to its end. */
export async function stream(call: ProviderCall, listener: StreamListener): Promise<ProviderReply> {
  const { stream: parts } = await call.model.doStream(call.options);
  const reader = parts.getReader();
  try {
    return await readStream(reader, call, listener);
  } catch (error) {
    callOff(reader, error);
    throw error;
  }
}

async function readStream(
  reader: PartReader,
  { awaited, source }: ProviderCall,
  listener: StreamListener,
): Promise<ProviderReply> {
  const content = new StreamedContent(createPairing(awaited));
  const noted: NotedResponse = {};
  let end: End | undefined;
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    const part = next.value;
    switch (part.type) {
      case "stream-start":
        assertToolsWereSent(part.warnings, source);
        break;
      case "response-metadata":
        noteResponse(noted, part);
        break;
      case "finish":
        end = toEnd(part);
        break;
      case "error":
        listener.onBegin();
        end ??= await endOfRest(reader);
        if (end !== undefined) listener.onFailedEnd({ ...end, content: [] });
        throw toStreamError(part.error, source);
      default:
        listener.onBegin();
        content.add(part);
        if (part.type === "text-delta" && part.delta !== "") listener.onTextDelta(part.delta);
    }
  }
  // A response without an end may be incomplete, so none of its content is used.
  return { ...(end ?? INTERRUPTED), content: end === undefined ? [] : content.parts, ...toResponse(noted) };
}

function toEnd({ finishReason, usage, providerMetadata }: End): End {
  return { finishReason, usage, providerMetadata };
}

async function endOfRest(reader: PartReader): Promise<End | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const over = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), REST_OF_FAILED_MS);
  });
  try {
    return await Promise.race([endIn(reader), over]);
  } finally {
    clearTimeout(timer);
  }
}

async function endIn(reader: PartReader): Promise<End | undefined> {
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) {
      if (next.value.type === "finish") return toEnd(next.value);
    }
  } catch {
    // Keep the first error: a later one does not explain why the response failed.
  }
  return undefined;
}

/** Throws if a response is incomplete. A non-streamed response that lacks only the finish reason counts as complete. */
export function assertWhole(reply: ProviderReply, source: ErrorSource, { isStreamed }: { isStreamed: boolean }): void {
  assertFinished(reply, source, { mayBeSilent: !isStreamed && reply.content.length > 0 });
}
