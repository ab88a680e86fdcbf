import type { Cost, ModelCall } from "@yagate/protocol";
import { addCosts, NO_COST } from "../machine/cost.ts";
import { addMost, type MostSpent, type OpenQuestion } from "./open-sample.ts";

/** A tool call that is under way, with what it has asked of the model. */
export class OpenCall {
  /** Aborted when the call is over. */
  readonly over = new AbortController();
  readonly #questions: OpenQuestion[] = [];

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
  get reserved(): MostSpent {
    return this.#questions.reduce((sum, { reserved }) => addMost(sum, reserved), { usd: 0, tokens: 0 });
  }

  add(question: OpenQuestion): void {
    this.#questions.push(question);
  }

  toModelCalls(): readonly ModelCall[] {
    return this.#questions.map((question) => question.toModelCall());
  }
}
