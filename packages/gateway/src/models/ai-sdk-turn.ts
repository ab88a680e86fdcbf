import { MAX_CALLS_PER_TURN } from "@yagate/protocol";
import {
  type CallWarning,
  generateText,
  experimental_streamLanguageModelCall as streamLanguageModelCall,
  type ToolSet,
} from "ai";
import { toSdkMessages } from "./message-conversion.ts";
import { type ErrorSource, toModelTurnError, toStreamError } from "./model-errors.ts";
import { type ModelTurn, ModelTurnError, type ModelTurnRequest } from "./port.ts";
import type { ModelTarget } from "./provider-registry.ts";
import { assertToolChoice, withToolChoice } from "./tool-choice.ts";
import { toProviderTools } from "./tool-set.ts";
import { type SdkAnswer, toModelTurn } from "./turn-conversion.ts";

// Warnings are read from the answers; the SDK would print them too.
globalThis.AI_SDK_LOG_WARNINGS = false;

/**
 * Takes one model turn through the AI SDK: never a second step, a retry or a tool run.
 *
 * @throws ModelTurnError when the provider failed, the signal's reason when it was aborted; all else is a defect here.
 */
export async function runSdkTurn(target: ModelTarget, request: ModelTurnRequest): Promise<ModelTurn> {
  if (request.toolChoice === "required" && request.tools.length === 0) {
    throw new ModelTurnError("MODEL_ERROR", "a tool call is required, but the agent has no tools");
  }
  const { sdkTools, ownName } = toProviderTools(request.tools);
  const call = toSdkCall(target, request, sdkTools);
  try {
    const answer =
      request.onTextDelta === undefined && target.isStreamedOnly !== true
        ? await generate(call, target.source)
        : await stream(call, request.onTextDelta ?? (() => {}), target.source);
    assertFewCalls(answer, target.source);
    assertDistinctCallIds(answer, target.source);
    const turn = toModelTurn(answer, { ownName, newToolCallId: request.newToolCallId });
    assertToolChoice(turn, request.toolChoice);
    return turn;
  } catch (error) {
    request.signal.throwIfAborted();
    throw toModelTurnError(error, target.source) ?? error;
  }
}

const NO_USAGE: SdkAnswer["usage"] = { inputTokens: undefined, outputTokens: undefined };

type SdkCall = ReturnType<typeof toSdkCall>;

function toSdkCall(target: ModelTarget, request: ModelTurnRequest, tools: ToolSet) {
  return {
    model: withToolChoice(target.model, request.toolChoice),
    messages: toSdkMessages(request.messages),
    tools,
    providerOptions: target.providerOptions,
    maxRetries: 0,
    abortSignal: request.signal,
    // Off halves the CPU of a turn, and nothing is registered that could listen.
    telemetry: { isEnabled: false },
    // Otherwise a file that a provider names by URL would be fetched past the egress guard.
    experimental_download: refuseDownload,
    ...(request.systemPrompt === "" ? {} : { instructions: request.systemPrompt }),
  };
}

async function generate(call: SdkCall, source: ErrorSource): Promise<SdkAnswer> {
  const answer = await generateText(call);
  assertToolsWereSent(answer.warnings, source);
  // A whole answer that only leaves out why it ended is taken for one that came to its end.
  assertFinished(answer, source, { mayBeSilent: answer.content.length > 0 });
  return answer;
}

// Not streamText: that builds a loop of steps around this, for 0.35 CPU-ms a turn against 0.04 (November 2026).
async function stream(call: SdkCall, onTextDelta: (text: string) => void, source: ErrorSource): Promise<SdkAnswer> {
  const { telemetry: _telemetry, maxRetries: _maxRetries, experimental_download: download, ...options } = call;
  let content: SdkAnswer["content"] = [];
  let end: Omit<SdkAnswer, "content"> | undefined;
  const { stream } = await streamLanguageModelCall({
    ...options,
    download,
    onLanguageModelCallEnd: (event) => {
      content = event.content;
    },
  });
  for await (const part of stream) {
    switch (part.type) {
      case "model-call-start":
        assertToolsWereSent(part.warnings, source);
        break;
      case "text-delta":
        if (part.text !== "") onTextDelta(part.text);
        break;
      case "error":
        throw toStreamError(part.error, source);
      case "model-call-end":
        end = part;
        break;
    }
  }
  const answer = { finishReason: "interrupted", rawFinishReason: undefined, usage: NO_USAGE, ...end, content } as const;
  assertFinished(answer, source, { mayBeSilent: false });
  return answer;
}

/** A stream that ends without saying why was cut off, by a proxy for instance: what there is of it may be half. */
function assertFinished(answer: SdkAnswer, source: ErrorSource, { mayBeSilent }: { mayBeSilent: boolean }): void {
  const { finishReason, rawFinishReason } = answer;
  if (finishReason === "error") {
    const reason = rawFinishReason === undefined ? "" : ` (${rawFinishReason.slice(0, 60)})`;
    throw new ModelTurnError("MODEL_ERROR", `${source.provider} failed while it answered${reason}`, {
      isRetryable: true,
    });
  }
  const isSilent = finishReason === "other" && rawFinishReason === undefined;
  if (finishReason === "interrupted" || (isSilent && !mayBeSilent)) {
    throw new ModelTurnError("MODEL_ERROR", `the answer of ${source.provider} broke off`, { isRetryable: true });
  }
}

/** A tool that a provider cannot take is left out of the request with no more than a warning. */
function assertToolsWereSent(warnings: readonly CallWarning[] | undefined, source: ErrorSource): void {
  for (const warning of warnings ?? []) {
    if (warning.type !== "unsupported") continue;
    // Where a choice cannot be forced, what came of it is checked afterwards.
    if (!/tool/i.test(warning.feature) || warning.feature === "toolChoice") continue;
    throw new ModelTurnError("MODEL_ERROR", `${source.provider} cannot take the agent's tools: ${warning.feature}`);
  }
}

/** No limit lets more run, and each that is refused still costs events: a turn of 100 000 would stop the process. */
function assertFewCalls({ content }: SdkAnswer, { provider }: ErrorSource): void {
  if (content.filter(({ type }) => type === "tool-call").length <= MAX_CALLS_PER_TURN) return;
  throw new ModelTurnError("MODEL_ERROR", `${provider} made more than ${MAX_CALLS_PER_TURN} tool calls in one turn`);
}

/** Results are matched by the provider's id, and the SDK would take two calls with one id for the same call twice. */
function assertDistinctCallIds(answer: SdkAnswer, source: ErrorSource): void {
  const ids = answer.content.flatMap((part) => (part.type === "tool-call" ? [part.toolCallId] : []));
  if (new Set(ids).size === ids.length) return;
  throw new ModelTurnError("MODEL_ERROR", `${source.provider} gave two tool calls the same id`, { isRetryable: true });
}

// The SDK asks in every turn, mostly with nothing to download.
async function refuseDownload(files: readonly unknown[]): Promise<never[]> {
  if (files.length === 0) return [];
  throw new ModelTurnError("MODEL_ERROR", "the model answered with a file to download, which is not supported");
}
