import { defined } from "@yagate/lib/objects/defined";
import { countedFailure } from "./counted-failure.ts";
import { isConnectionError, isUnusableAnswer, toModelTurnError } from "./model-errors.ts";
import { type ModelMessage, type ModelTurn, ModelTurnError, type ModelTurnRequest, type TurnSpending } from "./port.ts";
import type { Prices } from "./prices/prices.ts";
import { assertWhole, type StreamListener, stream, toProviderCall, toReply } from "./provider-call.ts";
import type { ModelTarget } from "./provider-registry.ts";
import { redactedError, redactedFailure } from "./redacted-error.ts";
import { assertFewCalls } from "./response-checks.ts";
import { assertToolChoice } from "./tool-choice.ts";
import { type ProviderTools, toProviderTools, withHostedTools, withNativeSearch } from "./tool-set.ts";
import { type ProviderReply, toModelTurn } from "./turn-conversion.ts";
import { type SpendingContext, spendingOf, unknownSpending } from "./turn-spending.ts";

/**
 * Maximum number of requests per model turn. A provider that searches the web may pause the turn; each pause takes
 * another request to continue.
 */
const MAX_REQUESTS = 5;

/**
 * Runs one model turn through a provider of the AI SDK.
 *
 * @throws ModelTurnError if the provider failed; the signal's reason if the turn was aborted. Any other error is a
 *   defect.
 */
export async function runSdkTurn(target: ModelTarget, request: ModelTurnRequest, prices: Prices): Promise<ModelTurn> {
  const { source, model } = target;
  const tools = toolsOf(target, request);
  const context = { provider: source.provider, model: model.modelId, prices, at: source.now() };
  const progress: Progress = { answers: [], hasBegun: false };
  try {
    const answer = await askToTheEnd(target, request, tools, progress);
    const turn = toModelTurn(answer, { ...tools, newToolCallId: request.newToolCallId });
    assertToolChoice(turn, request.toolChoice);
    return { ...turn, ...spendingOf(progress.answers, turn, context) };
  } catch (error) {
    request.signal.throwIfAborted();
    const failure = toModelTurnError(error, source);
    const { redaction } = source;
    if (failure === undefined) throw redaction === undefined ? error : redactedError(error, redaction);
    const spent = withSpending(failure, spendingUntil(progress, tools, context));
    throw redaction === undefined ? spent : redactedFailure(spent, redaction);
  }
}

function toolsOf(target: ModelTarget, request: ModelTurnRequest): ProviderTools {
  const { tools, hostedTools = [], toolChoice } = request;
  if (toolChoice === "required" && tools.length + hostedTools.length === 0) {
    throw new ModelTurnError("MODEL_ERROR", "a tool call is required, but the agent has no tools");
  }
  // The gateway can't require approval of provider-run tools, so it does not offer them in a turn that may not call
  // tools.
  const offered = toolChoice === "none" ? [] : hostedTools;
  const place = { provider: target.source.provider, api: target.model.provider };
  const own = withNativeSearch(toProviderTools(tools), request, target.searchForm);
  return withHostedTools(own, offered, place);
}

/** The progress of a model turn. It determines what the turn costs if it fails. */
interface Progress {
  /** The responses received so far, one for each request. */
  answers: readonly ProviderReply[];
  /** Whether the response to the current request has started but is incomplete. */
  hasBegun: boolean;
}

/** Sends the request, and repeats it while the provider pauses the turn for provider-run tools. */
async function askToTheEnd(
  target: ModelTarget,
  request: ModelTurnRequest,
  tools: ProviderTools,
  progress: Progress,
): Promise<ProviderReply> {
  const isStreamed = isStreaming(target, request);
  let messages = request.messages;
  for (let count = 1; ; count += 1) {
    const call = toProviderCall(target, request, { messages, tools });
    const answered = progress.answers.length;
    let next: ProviderReply;
    try {
      next = isStreamed
        ? await stream(call, listenerOf(progress, request))
        : toReply(call, await call.model.doGenerate(call.options));
    } catch (error) {
      noteFailure(progress, error, { isStreamed, answered });
      throw error;
    }
    progress.answers = [...progress.answers, next];
    progress.hasBegun = false;
    const answer = joined(progress.answers, next);
    assertWhole(next, target.source, { isStreamed });
    assertFewCalls(answer, target.source);
    if (!isPaused(next)) return answer;
    // If the provider pauses even after the last request, the reply is incomplete.
    if (count === MAX_REQUESTS) return { ...answer, finishReason: { ...answer.finishReason, unified: "length" } };
    messages = [...request.messages, messageOf(answer, tools)];
  }
}

function listenerOf(progress: Progress, { onTextDelta = () => {} }: ModelTurnRequest): StreamListener {
  return {
    onTextDelta,
    onBegin() {
      progress.hasBegun = true;
    },
    onFailedEnd: (answer) => noteCounts(progress, answer),
  };
}

/** Records what a failed request may have cost. */
function noteFailure(
  progress: Progress,
  error: unknown,
  { isStreamed, answered }: { readonly isStreamed: boolean; readonly answered: number },
): void {
  if (progress.answers.length > answered) return;
  // A stream whose connection broke has already reported whether its response started.
  const isKnown = isStreamed && isConnectionError(error);
  if (!isKnown) progress.hasBegun ||= isUnusableAnswer(error);
  const counted = countedFailure(error);
  if (counted !== undefined) noteCounts(progress, counted);
}

/** Records the token counts of a response that ended but can't be used, so that its cost is known. */
function noteCounts(progress: Progress, answer: ProviderReply): void {
  progress.answers = [...progress.answers, answer];
  progress.hasBegun = false;
}

function isStreaming(target: ModelTarget, { onTextDelta }: ModelTurnRequest): boolean {
  return onTextDelta !== undefined || target.isStreamedOnly === true;
}

function isPaused({ finishReason, content }: ProviderReply): boolean {
  const isOurTurn = content.some((part) => part.type === "tool-call" && part.providerExecuted !== true);
  return finishReason.raw === "pause_turn" && !isOurTurn;
}

/** Merges the content of all responses in the turn into the last one. */
function joined(answers: readonly ProviderReply[], last: ProviderReply): ProviderReply {
  return answers.length === 1 ? last : { ...last, content: answers.flatMap(({ content }) => content) };
}

function messageOf(answer: ProviderReply, tools: ProviderTools): ModelMessage {
  return { role: "assistant", parts: toModelTurn(answer, { ...tools, newToolCallId: () => "" }).parts };
}

function spendingUntil(
  { answers, hasBegun }: Progress,
  tools: ProviderTools,
  context: SpendingContext,
): TurnSpending | undefined {
  const last = answers.at(-1);
  if (last === undefined) return hasBegun ? unknownSpending(context) : undefined;
  const turn = toModelTurn(joined(answers, last), { ...tools, newToolCallId: () => "" });
  const { usage, cost } = spendingOf(answers, turn, context);
  return { usage, cost: hasBegun ? { ...cost, isPartial: true } : cost };
}

function withSpending(failure: ModelTurnError, spending: TurnSpending | undefined): ModelTurnError {
  if (spending === undefined) return failure;
  const { code, message, isRetryable, retryAfterMs, unreachable, developerMessage, cause } = failure;
  return new ModelTurnError(code, message, {
    isRetryable,
    ...defined({ retryAfterMs }),
    spending,
    ...defined({ unreachable, developerMessage, cause }),
  });
}
