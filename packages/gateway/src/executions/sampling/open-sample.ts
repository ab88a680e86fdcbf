import { defined } from "@yagate/lib/objects/defined";
import type { TurnSpending } from "@yagate/models/port";
import type { Cost, ModelCall, TokenUsage } from "@yagate/protocol";
import { addCosts, NO_COST } from "../machine/cost.ts";
import { addUsage } from "../machine/usage.ts";

const MAX_MESSAGE_CHARACTERS = 500;

/** What one request uses up at most: USD, 0 where no price is known; and tokens. */
export interface MaxSpend {
  readonly usd: number;
  readonly tokens: number;
}

const NOTHING: MaxSpend = { usd: 0, tokens: 0 };

export function addMaxSpend(first: MaxSpend, second: MaxSpend): MaxSpend {
  return { usd: first.usd + second.usd, tokens: first.tokens + second.tokens };
}

type SampleEnd = Pick<ModelCall, "durationMs" | "finishReason" | "response" | "error">;

/** One question while it is asked: what it has used up by now, and how it ended. */
export class OpenSample {
  readonly #model: string;
  /** ms since the epoch. */
  readonly #startedAt: number;
  readonly #now: () => number;
  #usage: TokenUsage = { inputTokens: 0, outputTokens: 0 };
  #cost: Cost = NO_COST;
  #requests = 0;
  #isOnItsWay = false;
  #end: SampleEnd | undefined;
  readonly #most: MaxSpend;

  constructor(model: string, now: () => number, most: MaxSpend) {
    this.#most = most;
    this.#model = model;
    this.#now = now;
    this.#startedAt = now();
  }

  /** What is known to have been spent on it. */
  get cost(): Cost {
    return this.#cost;
  }

  /** Tokens that are known to have been used for it. */
  get tokens(): number {
    return this.#usage.inputTokens + this.#usage.outputTokens;
  }

  /** What it may yet use up: what is on its way has to be paid, whatever comes of it. */
  get reserved(): MaxSpend {
    return this.#isOnItsWay ? this.#most : NOTHING;
  }

  onRequest(): void {
    this.#requests += 1;
    this.#isOnItsWay = true;
  }

  /** The request was answered, or failed. @param spending - what the provider counted, if it answered at all. */
  onReply(spending: TurnSpending | undefined): void {
    this.#isOnItsWay = false;
    if (spending === undefined) return;
    const { usd, isPartial } = spending.cost;
    const { toolCalls: _none, ...usage } = addUsage({ ...this.#usage, toolCalls: 0 }, spending.usage, 0);
    this.#usage = usage;
    this.#cost = addCosts(this.#cost, { usd, credits: 0, ...(isPartial ? { isPartial } : {}) });
  }

  /** The first end holds. */
  end(
    end:
      | Pick<ModelCall, "finishReason" | "response">
      | { readonly error: { readonly code: string; readonly message: string } },
  ) {
    this.#end ??= { durationMs: this.#sinceStart(), ...end };
  }

  /** As it is recorded. Of one that was not answered, and never will be, nobody knows what it cost. */
  toModelCall(): ModelCall {
    const end: SampleEnd = this.#end ?? { durationMs: this.#sinceStart(), error: NO_REPLY };
    const { durationMs, finishReason, response, error } = end;
    const isUnknown = this.#isOnItsWay && !this.#model.startsWith("scripted/");
    return {
      model: this.#model,
      startedAt: new Date(this.#startedAt).toISOString(),
      durationMs,
      requests: this.#requests,
      usage: this.#usage,
      cost: isUnknown ? { ...this.#cost, isPartial: true } : this.#cost,
      ...defined({ finishReason, response }),
      ...(error === undefined ? {} : { error: { ...error, message: error.message.slice(0, MAX_MESSAGE_CHARACTERS) } }),
    };
  }

  #sinceStart(): number {
    return Math.max(0, this.#now() - this.#startedAt);
  }
}

const NO_REPLY = { code: "CANCELLED", message: "the call was over before the model had answered" };

/** A tool call that is under way, with what it has asked of the model. */
export class OpenCall {
  /** Aborted when the call is over. */
  readonly over = new AbortController();
  readonly #questions: OpenSample[] = [];

  /** How many questions it has asked. */
  get count(): number {
    return this.#questions.length;
  }

  /** What is known to have been spent on them. */
  get cost(): Cost {
    return this.#questions.reduce((sum, { cost }) => addCosts(sum, cost), NO_COST);
  }

  /** Tokens that are known to have been used for them. */
  get tokens(): number {
    return this.#questions.reduce((sum, { tokens }) => sum + tokens, 0);
  }

  /** What those that are on their way may yet use up. */
  get reserved(): MaxSpend {
    return this.#questions.reduce((sum, { reserved }) => addMaxSpend(sum, reserved), { usd: 0, tokens: 0 });
  }

  add(question: OpenSample): void {
    this.#questions.push(question);
  }

  toModelCalls(): readonly ModelCall[] {
    return this.#questions.map((question) => question.toModelCall());
  }
}
