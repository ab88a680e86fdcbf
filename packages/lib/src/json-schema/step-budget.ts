import { SchemaProblem } from "./schema-problem.ts";

/** Limits the work of one validation. It counts steps instead of time, so that the outcome is reproducible. */
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

  /**
   * Uses up steps.
   *
   * @throws SchemaProblem `TOO_COMPLEX` if fewer steps are left.
   */
  spend(steps: number): void {
    this.#left -= steps;
    if (this.#left >= 0) return;
    throw new SchemaProblem(
      "TOO_COMPLEX",
      "",
      "needs too much work to validate: make the schema or the value smaller, or use fewer alternatives",
    );
  }
}
