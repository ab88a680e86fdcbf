import { type AskModel, AskModelError, type ModelQuestion, type ModelReply } from "@yagate/builtins/ask-model";
import { type ExecutionState, isClosed } from "@yagate/execution-machine/state";
import { defined } from "@yagate/lib/objects/defined";
import { maskedTurn } from "@yagate/models/masked-turn";
import { type Models, ModelTurnError, type ModelTurnRequest, type UnreachableProvider } from "@yagate/models/port";
import { mostTokens } from "@yagate/models/prices/most-cost";
import { type Agent, MAX_MODEL_CALLS, type ModelCall } from "@yagate/protocol";
import type { ExecutionRow } from "@yagate/store/port";
import type { Toolset } from "../../tools/port.ts";
import { retryWhileUnavailable } from "../service/retry-while-unavailable.ts";
import { type MaxSpend, OpenCall, OpenSample } from "./open-sample.ts";
import { sampleWithRetries } from "./sample-with-retries.ts";
import { budgetProblem } from "./sampling-budget.ts";

/** Output tokens that are reserved for a reply if the tool sets no limit. */
const USUAL_OUTPUT_TOKENS = 4_096;

/** The parts of an execution that sampling uses. */
export interface SamplingOptions {
  readonly models: Models;
  readonly execution: ExecutionRow;
  readonly agent: Agent;
  readonly toolset: Toolset;
  /** Returns the state of the execution, as in its log. */
  readonly state: () => ExecutionState;
  /** Current time in ms since the epoch. */
  readonly now: () => number;
  readonly random: () => number;
  readonly onError: (error: unknown, executionId: string) => void;
  readonly onUnreachable?: ((unreachable: UnreachableProvider, executionId: string) => void) | undefined;
}

/** The access of one tool call to the model. */
export interface CallSampling {
  /** Sends a request to the agent's model; undefined if tools cannot use the model. */
  readonly askModel: AskModel | undefined;
  /** Returns the model calls made so far. */
  modelCalls(): readonly ModelCall[];
  /** Ends the access: aborts running samples and rejects further ones. */
  end(): void;
}

/**
 * The calls that tools make to their agent's model. Each sample is one request without tools or the conversation,
 * within the limits of the execution. It stays in memory until the event that ends its tool call records it.
 */
export class Sampling {
  readonly #options: SamplingOptions;
  readonly #calls = new Map<string, OpenCall>();

  constructor(options: SamplingOptions) {
    this.#options = options;
  }

  /** Returns the model calls that a running tool call has made so far. */
  readonly modelCallsOf = (toolCallId: string): readonly ModelCall[] =>
    this.#calls.get(toolCallId)?.toModelCalls() ?? [];

  /**
   * Gives a tool call access to the model.
   *
   * @param deadline - deadline of the call, in ms since the epoch.
   * @param signal - aborted when the execution no longer waits for the call.
   */
  open(toolCallId: string, { deadline, signal }: { deadline: number; signal: AbortSignal }): CallSampling {
    const call = new OpenCall();
    this.#calls.set(toolCallId, call);
    const signals = AbortSignal.any([signal, call.over.signal]);
    const canReply = !this.#isScripted() || this.#scriptedReplies() !== undefined;
    return {
      askModel: canReply ? (question) => this.#sample(question, call, { deadline, signal: signals }) : undefined,
      modelCalls: () => call.toModelCalls(),
      end: () => call.over.abort(),
    };
  }

  async #sample(
    question: ModelQuestion,
    call: OpenCall,
    { deadline, signal }: { readonly deadline: number; readonly signal: AbortSignal },
  ): Promise<ModelReply> {
    const { agent, now, execution, toolset } = this.#options;
    if (signal.aborted) throw new AskModelError("MODEL_ERROR", "the call has ended");
    const most = this.#maxSpendOf(question);
    this.#assertAffordable(most, call);
    const number = this.#count();
    const sample = new OpenSample(agent.model, now, most);
    call.add(sample);
    const { timeoutMs } = question;
    const timeout = timeoutMs === undefined ? undefined : AbortSignal.timeout(timeoutMs);
    const signals = timeout === undefined ? signal : AbortSignal.any([signal, timeout]);
    const until = timeoutMs === undefined ? deadline : Math.min(deadline, now() + timeoutMs);
    try {
      const request = this.#toRequest(question, number, signals);
      // This step reads the workspace's providers and secrets, and the store may be unavailable.
      const { turn, mask } = await retryWhileUnavailable(
        async () => {
          const mask = await toolset.openMask?.(execution.workspaceId);
          return {
            turn: await sampleWithRetries(request, sample, { ...this.#options, ...this.#limits(until, most) }),
            mask,
          };
        },
        { signal: () => signals, onRefusal: (error) => this.#onError(error) },
      );
      const { finishReason } = turn;
      const { response, text } = mask === undefined ? turn : maskedTurn(turn, mask);
      sample.end({ finishReason, ...defined({ response }) });
      if (finishReason === "refused") throw new AskModelError("MODEL_ERROR", "the model refused to answer");
      return { text, isCut: finishReason === "length" };
    } catch (error) {
      const failure = this.#toFailure(error, { signal, timeout, timeoutMs });
      sample.end({ error: { code: signal.aborted ? "CANCELLED" : failure.code, message: failure.message } });
      throw failure;
    }
  }

  #limits(deadline: number, most: MaxSpend) {
    return { deadline, beforeRequest: () => this.#assertAffordable(most) };
  }

  #maxSpendOf({ instructions, text, maxOutputTokens = USUAL_OUTPUT_TOKENS }: ModelQuestion): MaxSpend {
    const { models, agent } = this.#options;
    const inputBytes = Buffer.byteLength(instructions) + Buffer.byteLength(text);
    const size = { inputBytes, maxOutputTokens };
    return { usd: models.mostCostOf(agent.model, size) ?? 0, tokens: mostTokens(size) };
  }

  /**
   * Checks that the request can't exceed a limit.
   * @throws AskModelError `BUDGET_EXCEEDED` if it could.
   */
  #assertAffordable(most: MaxSpend, call?: OpenCall): void {
    const { state, now } = this.#options;
    const problem = budgetProblem(state(), this.#unrecorded(), now(), most);
    if (problem !== undefined)
      throw new AskModelError("BUDGET_EXCEEDED", `${problem}; no request was sent to the model`);
    if (call !== undefined && call.count >= MAX_MODEL_CALLS) {
      const words = `a tool call may call the model at most ${MAX_MODEL_CALLS} times; no request was sent`;
      throw new AskModelError("BUDGET_EXCEEDED", words);
    }
  }

  /** Returns the calls whose samples are not in the log yet. */
  #unrecorded(): readonly OpenCall[] {
    const calls = this.#options.state().turns.at(-1)?.calls ?? [];
    const open = new Set(calls.filter((call) => !isClosed(call)).map(({ id }) => id));
    for (const id of this.#calls.keys()) if (!open.has(id)) this.#calls.delete(id);
    return [...this.#calls.values()];
  }

  /** Returns the number of samples of the whole execution so far. */
  #count(): number {
    const unrecorded = this.#unrecorded().reduce((sum, { count }) => sum + count, 0);
    const calls = this.#options.state().turns.flatMap((turn) => turn.calls);
    return calls.reduce((sum, { modelCalls }) => sum + modelCalls.length, unrecorded);
  }

  #toRequest(
    { instructions, text, maxOutputTokens }: ModelQuestion,
    number: number,
    signal: AbortSignal,
  ): ModelTurnRequest {
    const { agent, execution } = this.#options;
    return {
      workspaceId: execution.workspaceId,
      model: agent.model,
      systemPrompt: instructions,
      messages: [{ role: "user", text }],
      tools: [],
      toolChoice: "none",
      turn: 1,
      signal,
      newToolCallId: () => "",
      ...defined({ maxOutputTokens }),
      ...(this.#isScripted() ? { script: { turns: [{ text: this.#scriptedReply(number) }] } } : {}),
    };
  }

  #isScripted(): boolean {
    return this.#options.agent.model.startsWith("scripted/");
  }

  /** Returns the script's replies to samples; undefined if it has none, in which case tools can't use the model. */
  #scriptedReplies(): readonly string[] | undefined {
    const { agent, execution } = this.#options;
    return agent.model === "scripted/turns" ? execution.request.script?.answers : undefined;
  }

  /**
   * Returns the script's reply for the sample with this number, counted from 0.
   * @throws ModelTurnError if the script has no such reply.
   */
  #scriptedReply(number: number): string {
    const reply = this.#scriptedReplies()?.[number];
    if (reply !== undefined) return reply;
    throw new ModelTurnError("MODEL_ERROR", `the script has no reply for model call ${number + 1} of a tool`);
  }

  #toFailure(
    error: unknown,
    {
      signal,
      timeout,
      timeoutMs,
    }: { signal: AbortSignal; timeout: AbortSignal | undefined; timeoutMs: number | undefined },
  ): AskModelError {
    if (error instanceof AskModelError) return error;
    const failure = (words: string) => new AskModelError("MODEL_ERROR", words, { cause: error });
    if (signal.aborted) return failure("the call ended before the model replied");
    if (timeout?.aborted === true) return failure(`the model did not reply within ${timeoutMs} ms`);
    if (!(error instanceof ModelTurnError)) {
      this.#onError(error);
      return failure("the model call failed because of an internal error");
    }
    if (error.unreachable !== undefined) this.#options.onUnreachable?.(error.unreachable, this.#options.execution.id);
    return failure(error.message);
  }

  #onError(error: unknown): void {
    this.#options.onError(error, this.#options.execution.id);
  }
}
