import { addCosts, addUsage, NO_COST } from "@yagate/execution-machine/cost";
import { defined } from "@yagate/lib/objects/defined";
import type { TurnSpending } from "@yagate/models/port";
import type { Cost, ModelCall, TokenUsage } from "@yagate/protocol";

const MAX_MESSAGE_CHARACTERS = 500;

/** The maximum that one request can use: USD (0 if no price is known) and tokens. */
export interface MaxSpend {
  readonly usd: number;
  readonly tokens: number;
}

const NOTHING: MaxSpend = { usd: 0, tokens: 0 };

export function addMaxSpend(first: MaxSpend, second: MaxSpend): MaxSpend {
  return { usd: first.usd + second.usd, tokens: first.tokens + second.tokens };
}

type SampleEnd = Pick<ModelCall, "durationMs" | "finishReason" | "response" | "error">;

/** One sample: what it has used so far and how it ended. */
export class OpenSample {
  readonly #model: string;
  /** In ms since the epoch. */
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

  /** The known cost of the sample. */
  get cost(): Cost {
    return this.#cost;
  }

  /** The known tokens of the sample. */
  get tokens(): number {
    return this.#usage.inputTokens + this.#usage.outputTokens;
  }

  /** The maximum that the sample may still use. A running request must be paid for, whatever its outcome. */
  get reserved(): MaxSpend {
    return this.#isRunning ? this.#most : NOTHING;
  }

  onRequest(): void {
    this.#requests += 1;
    this.#isRunning = true;
  }

  /**
   * Records that the model replied or the request failed.
   *
   * @param spending - what the provider charged; undefined if it did not reply.
   */
  onReply(spending: TurnSpending | undefined): void {
    this.#isRunning = false;
    if (spending === undefined) return;
    const { usd, isPartial } = spending.cost;
    const { toolCalls: _none, ...usage } = addUsage({ ...this.#usage, toolCalls: 0 }, spending.usage, 0);
    this.#usage = usage;
    this.#cost = addCosts(this.#cost, { usd, credits: 0, ...(isPartial ? { isPartial } : {}) });
  }

  /** Records how the sample ended. Only the first call has an effect. */
  end(
    end:
      | Pick<ModelCall, "finishReason" | "response">
      | { readonly error: { readonly code: string; readonly message: string } },
  ) {
    this.#end ??= { durationMs: this.#sinceStart(), ...end };
  }

  /** Returns the record of the sample. If the model did not reply, the cost is unknown. */
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

/** A running tool call with its samples. */
export class OpenCall {
  /** Aborted when the call is over. */
  readonly over = new AbortController();
  readonly #samples: OpenSample[] = [];

  /** Number of samples. */
  get count(): number {
    return this.#samples.length;
  }

  /** The known cost of the samples. */
  get cost(): Cost {
    return this.#samples.reduce((sum, { cost }) => addCosts(sum, cost), NO_COST);
  }

  /** The known tokens of the samples. */
  get tokens(): number {
    return this.#samples.reduce((sum, { tokens }) => sum + tokens, 0);
  }

  /** The maximum that the running samples may still use. */
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
