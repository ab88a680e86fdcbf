import { SchemaProblem } from "./schema-problem.ts";

/** Bounds the work of one validation: counting steps instead of time gives the same answer every run. */
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
      "asks for more work than one validation may take: make the schema or the value smaller, or its alternatives fewer",
    );
  }
}
