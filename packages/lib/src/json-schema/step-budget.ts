import { SchemaProblem } from "./schema-problem.ts";

/** Limits the work of one validation. Steps instead of time make the outcome reproducible. */
export class StepBudget {
  readonly #steps: number;
  #left: number;

  constructor(steps: number) {
    this.#steps = steps;
    this.#left = steps;
  }

  /** Starts the next validation. */
  reset(): void {
    this.#left = this.#steps;
  }

  /** @throws SchemaProblem `TOO_COMPLEX` when less than that is left. */
  spend(steps: number): void {
    this.#left -= steps;
    if (this.#left >= 0) return;
    throw new SchemaProblem(
      "TOO_COMPLEX",
      "",
      "needs too much work to validate: make the schema or the value smaller, or reduce the alternatives",
    );
  }
}
