import { LinearPattern } from "./linear-pattern.ts";
import { SchemaProblem } from "./schema-problem.ts";
import type { StepBudget } from "./step-budget.ts";

/** The regular expressions of one schema, each compiled once for a linear-time engine. */
export class SchemaPatterns {
  readonly #compiled = new Map<string, LinearPattern>();

  /**
   * Compiles a regular expression.
   *
   * @throws SchemaProblem `UNSUPPORTED_PATTERN` with the reason.
   */
  compile(source: string, path: string): LinearPattern {
    let pattern = this.#compiled.get(source);
    if (pattern === undefined) {
      try {
        pattern = new LinearPattern(source);
      } catch (cause) {
        const reason = cause instanceof Error ? cause.message : "must be a valid regular expression";
        throw new SchemaProblem("UNSUPPORTED_PATTERN", path, reason, { cause });
      }
      this.#compiled.set(source, pattern);
    }
    return pattern;
  }

  matches(source: string, text: string, budget: StepBudget): boolean {
    const pattern = this.compile(source, "");
    budget.spend(Math.ceil(text.length * (2 + pattern.instructions / 32)));
    return pattern.test(text);
  }
}
