import { VALUE_LIMITS } from "@yagate/lib/json-schema/limits";

/** Thrown inside a check that has used up its budget. */
export class WorkBudgetExceeded extends Error {
  override readonly name = "WorkBudgetExceeded";
}

/**
 * Bounds the work of one check. A schema and a value that are both small can still ask for hours: alternatives that
 * refer back double the work at each level, `uniqueItems` compares every pair, a pattern is matched to every item.
 * A step is about the time of one comparison, 20 to 50 ns; counting steps, not time, gives the same answer every run.
 */
export class WorkBudget {
  #remaining: number = VALUE_LIMITS.maxSteps;

  /** Starts the next check. */
  reset(): void {
    this.#remaining = VALUE_LIMITS.maxSteps;
  }

  /** @throws WorkBudgetExceeded when less than that remains. */
  readonly spend = (steps: number): void => {
    this.#remaining -= steps;
    if (this.#remaining < 0) throw new WorkBudgetExceeded();
  };

  /** Spends what one schema costs on one value. @throws WorkBudgetExceeded also for too many errors. */
  readonly spendOnSchema = (steps: number, errors: readonly unknown[] | null): void => {
    if (errors !== null && errors.length > VALUE_LIMITS.maxPendingErrors) throw new WorkBudgetExceeded();
    this.spend(steps);
  };

  /** Spends what a length or a format costs on a text: a look at each character. */
  readonly spendOnText = (value: unknown): void => {
    if (typeof value === "string") this.spend(value.length / 2);
  };

  /** Spends what it costs to compare every item of an array with every other. */
  readonly spendOnPairs = (value: unknown): void => {
    if (Array.isArray(value)) this.spend((value.length * countValues(value)) / 8);
  };
}

function countValues(root: unknown): number {
  const pending: unknown[] = [root];
  let count = 0;
  while (pending.length > 0) {
    const value = pending.pop();
    count += 1;
    if (typeof value === "object" && value !== null) for (const member of Object.values(value)) pending.push(member);
  }
  return count;
}
