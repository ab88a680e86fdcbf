import { type AskModel, AskModelError, type ModelQuestion, type ModelReply } from "@yagate/builtins/ask-model";
import { defined } from "@yagate/lib/objects/defined";
import { maskedAnswer } from "@yagate/models/masked-answer";
import { type Models, ModelTurnError, type ModelTurnRequest, type UnreachableProvider } from "@yagate/models/port";
import { mostTokens } from "@yagate/models/prices/most-cost";
import { type Agent, MAX_MODEL_CALLS, type ModelCall } from "@yagate/protocol";
import type { ExecutionRow } from "@yagate/store/port";
import type { Toolset } from "../../tools/port.ts";
import { type ExecutionState, isClosed } from "../machine/state.ts";
import { retryWhileUnavailable } from "../service/retry-while-unavailable.ts";
import { type MaxSpend, OpenCall, OpenSample } from "./open-sample.ts";
import { sampleWithRetries } from "./sample-with-retries.ts";
import { budgetProblem } from "./sampling-budget.ts";

/** Reserved for an answer that the tool has set no limit to. */
const USUAL_OUTPUT_TOKENS = 4_096;

/** What questions of one execution's tools are asked with. */
export interface SamplingOptions {
  readonly models: Models;
  readonly execution: ExecutionRow;
  readonly agent: Agent;
  readonly toolset: Toolset;
  /** The execution as its log has it. */
  readonly state: () => ExecutionState;
  /** ms since the epoch. */
  readonly now: () => number;
  readonly random: () => number;
  readonly onError: (error: unknown, executionId: string) => void;
  readonly onUnreachable?: ((unreachable: UnreachableProvider, executionId: string) => void) | undefined;
}

/** One call's access to the model. */
export interface CallSampling {
  /** Undefined where the model can't answer what tools ask. */
  readonly askModel: AskModel | undefined;
  /** What was asked so far. */
  asked(): readonly ModelCall[];
  /** The call is over: what is on its way is aborted, nothing more is asked. */
  end(): void;
}

/**
 * What tools ask of their agent's model. Each question is one model turn without tools and without the conversation,
 * within the limits of the execution. It is kept here until the event that ends its call records it.
 */
export class Sampling {
  readonly #options: SamplingOptions;
  readonly #calls = new Map<string, OpenCall>();

  constructor(options: SamplingOptions) {
    this.#options = options;
  }

  /** What a call that is under way has asked by now. */
  readonly modelCallsOf = (toolCallId: string): readonly ModelCall[] =>
    this.#calls.get(toolCallId)?.toModelCalls() ?? [];

  /**
   * Opens the model to a call.
   *
   * @param deadline - of the call, ms since the epoch.
   * @param signal - aborted when nobody waits for the call any more.
   */
  open(toolCallId: string, { deadline, signal }: { deadline: number; signal: AbortSignal }): CallSampling {
    const call = new OpenCall();
    this.#calls.set(toolCallId, call);
    const signals = AbortSignal.any([signal, call.over.signal]);
    const canAnswer = !this.#isScripted() || this.#answers() !== undefined;
    return {
      askModel: canAnswer ? (question) => this.#ask(question, call, { deadline, signal: signals }) : undefined,
      asked: () => call.toModelCalls(),
      end: () => call.over.abort(),
    };
  }

  async #ask(
    asked: ModelQuestion,
    call: OpenCall,
    { deadline, signal }: { readonly deadline: number; readonly signal: AbortSignal },
  ): Promise<ModelReply> {
    const { agent, now, execution, toolset } = this.#options;
    if (signal.aborted) throw new AskModelError("MODEL_ERROR", "the call is over");
    const most = this.#mostOf(asked);
    this.#assertAffordable(most, call);
    const number = this.#count();
    const question = new OpenSample(agent.model, now, most);
    call.add(question);
    const { timeoutMs } = asked;
    const late = timeoutMs === undefined ? undefined : AbortSignal.timeout(timeoutMs);
    const signals = late === undefined ? signal : AbortSignal.any([signal, late]);
    const until = timeoutMs === undefined ? deadline : Math.min(deadline, now() + timeoutMs);
    try {
      const request = this.#toRequest(asked, number, signals);
      // The workspace's providers and secrets are in the store.
      const { turn, mask } = await retryWhileUnavailable(
        async () => {
          const mask = await toolset.openMask?.(execution.workspaceId);
          return {
            turn: await sampleWithRetries(request, question, { ...this.#options, ...this.#limits(until, most) }),
            mask,
          };
        },
        { signal: signals, onRefusal: (error) => this.#onError(error) },
      );
      const { finishReason } = turn;
      const { response, text } = mask === undefined ? turn : maskedAnswer(turn, mask);
      question.end({ finishReason, ...defined({ response }) });
      if (finishReason === "refused") throw new AskModelError("MODEL_ERROR", "the model refused to answer");
      return { text, isCut: finishReason === "length" };
    } catch (error) {
      const failure = this.#toFailure(error, { signal, late, timeoutMs });
      question.end({ error: { code: signal.aborted ? "CANCELLED" : failure.code, message: failure.message } });
      throw failure;
    }
  }

  #limits(deadline: number, most: MaxSpend) {
    return { deadline, beforeRequest: () => this.#assertAffordable(most) };
  }

  #mostOf({ instructions, text, maxOutputTokens = USUAL_OUTPUT_TOKENS }: ModelQuestion): MaxSpend {
    const { models, agent } = this.#options;
    const inputBytes = Buffer.byteLength(instructions) + Buffer.byteLength(text);
    const size = { inputBytes, maxOutputTokens };
    return { usd: models.mostCostOf(agent.model, size) ?? 0, tokens: mostTokens(size) };
  }

  /** @throws AskModelError `BUDGET_EXCEEDED`. */
  #assertAffordable(most: MaxSpend, call?: OpenCall): void {
    const { state, now } = this.#options;
    const problem = budgetProblem(state(), this.#unrecorded(), now(), most);
    if (problem !== undefined) throw new AskModelError("BUDGET_EXCEEDED", `${problem}; the model was not asked`);
    if (call !== undefined && call.count >= MAX_MODEL_CALLS) {
      const words = `a call may ask the model at most ${MAX_MODEL_CALLS} questions; it was not asked`;
      throw new AskModelError("BUDGET_EXCEEDED", words);
    }
  }

  /** Calls whose questions the log does not have yet. */
  #unrecorded(): readonly OpenCall[] {
    const calls = this.#options.state().turns.at(-1)?.calls ?? [];
    const open = new Set(calls.filter((call) => !isClosed(call)).map(({ id }) => id));
    for (const id of this.#calls.keys()) if (!open.has(id)) this.#calls.delete(id);
    return [...this.#calls.values()];
  }

  /** Questions of the whole execution so far. */
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
      ...(this.#isScripted() ? { script: { turns: [{ text: this.#scriptedAnswer(number) }] } } : {}),
    };
  }

  #isScripted(): boolean {
    return this.#options.agent.model.startsWith("scripted/");
  }

  /** What the script says to questions; undefined: nothing, so that none can be asked. */
  #answers(): readonly string[] | undefined {
    const { agent, execution } = this.#options;
    return agent.model === "scripted/turns" ? execution.request.script?.answers : undefined;
  }

  /** @throws ModelTurnError past the last answer. */
  #scriptedAnswer(number: number): string {
    const answer = this.#answers()?.[number];
    if (answer !== undefined) return answer;
    throw new ModelTurnError("MODEL_ERROR", `the script has no answer to question ${number + 1}`);
  }

  #toFailure(
    error: unknown,
    { signal, late, timeoutMs }: { signal: AbortSignal; late: AbortSignal | undefined; timeoutMs: number | undefined },
  ): AskModelError {
    if (error instanceof AskModelError) return error;
    const failure = (words: string) => new AskModelError("MODEL_ERROR", words, { cause: error });
    if (signal.aborted) return failure("the call was over before the model had answered");
    if (late?.aborted === true) return failure(`the model did not answer within ${timeoutMs} ms`);
    if (!(error instanceof ModelTurnError)) {
      this.#onError(error);
      return failure("the question failed for a reason inside the gateway");
    }
    if (error.unreachable !== undefined) this.#options.onUnreachable?.(error.unreachable, this.#options.execution.id);
    return failure(error.message);
  }

  #onError(error: unknown): void {
    this.#options.onError(error, this.#options.execution.id);
  }
}
