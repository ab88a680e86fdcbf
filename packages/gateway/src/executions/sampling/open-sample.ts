import { defined } from "@yagate/lib/objects/defined";
import type { TurnSpending } from "@yagate/models/port";
import type { Cost, ModelCall, TokenUsage } from "@yagate/protocol";
import { addCosts, NO_COST } from "../machine/cost.ts";
import { addUsage } from "../machine/usage.ts";

const MAX_MESSAGE_CHARACTERS = 500;

/** The maximum that one request can use: USD, 0 if no price is known; and tokens. */
export interface MaxSpend {
  readonly usd: number;
  readonly tokens: number;
}

const NOTHING: MaxSpend = { usd: 0, tokens: 0 };

export function addMaxSpend(first: MaxSpend, second: MaxSpend): MaxSpend {
  return { usd: first.usd + second.usd, tokens: first.tokens + second.tokens };
}

type SampleEnd = Pick<ModelCall, "durationMs" | "finishReason" | "response" | "error">;

/** One sample while it runs: what it has used so far, and how it ended. */
export class OpenSample {
  readonly #model: string;
  /** ms since the epoch. */
  readonly #startedAt: number;
  readonly #now: () => number;
  #usage: TokenUsage = { inputTokens: 0, outputTokens: 0 };
  #cost: Cost = NO_COST;
  #requests = 0;
  #isRunning = false;
  #end: SampleEnd | undefined;
  readonly #most: MaxSpend;

  constructor(model: string, now: () => number, most: MaxSpend) {
    this.#most = most;
    this.#model = model;
    this.#now = now;
    this.#startedAt = now();
  }

  /** Its known cost. */
  get cost(): Cost {
    return this.#cost;
  }

  /** Its known tokens. */
  get tokens(): number {
    return this.#usage.inputTokens + this.#usage.outputTokens;
  }

  /** What it may still use: a running request must be paid, whatever its outcome. */
  get reserved(): MaxSpend {
    return this.#isRunning ? this.#most : NOTHING;
  }

  onRequest(): void {
    this.#requests += 1;
    this.#isRunning = true;
  }

  /** The request was answered or failed. @param spending - what the provider charged, if it answered at all. */
  onReply(spending: TurnSpending | undefined): void {
    this.#isRunning = false;
    if (spending === undefined) return;
    const { usd, isPartial } = spending.cost;
    const { toolCalls: _none, ...usage } = addUsage({ ...this.#usage, toolCalls: 0 }, spending.usage, 0);
    this.#usage = usage;
    this.#cost = addCosts(this.#cost, { usd, credits: 0, ...(isPartial ? { isPartial } : {}) });
  }

  /** Records how it ended; only the first call counts. */
  end(
    end:
      | Pick<ModelCall, "finishReason" | "response">
      | { readonly error: { readonly code: string; readonly message: string } },
  ) {
    this.#end ??= { durationMs: this.#sinceStart(), ...end };
  }

  /** The sample as it is recorded. The cost of an unanswered request is unknown. */
  toModelCall(): ModelCall {
    const end: SampleEnd = this.#end ?? { durationMs: this.#sinceStart(), error: NO_REPLY };
    const { durationMs, finishReason, response, error } = end;
    const isUnknown = this.#isRunning && !this.#model.startsWith("scripted/");
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

const NO_REPLY = { code: "CANCELLED", message: "the call ended before the model replied" };

/** A running tool call, with its samples. */
export class OpenCall {
  /** Aborted when the call is over. */
  readonly over = new AbortController();
  readonly #samples: OpenSample[] = [];

  /** The number of its samples. */
  get count(): number {
    return this.#samples.length;
  }

  /** The known cost of its samples. */
  get cost(): Cost {
    return this.#samples.reduce((sum, { cost }) => addCosts(sum, cost), NO_COST);
  }

  /** The known tokens of its samples. */
  get tokens(): number {
    return this.#samples.reduce((sum, { tokens }) => sum + tokens, 0);
  }

  /** What its running samples may still use. */
  get reserved(): MaxSpend {
    return this.#samples.reduce((sum, { reserved }) => addMaxSpend(sum, reserved), { usd: 0, tokens: 0 });
  }

  add(sample: OpenSample): void {
    this.#samples.push(sample);
  }

  toModelCalls(): readonly ModelCall[] {
    return this.#samples.map((sample) => sample.toModelCall());
  }
}
