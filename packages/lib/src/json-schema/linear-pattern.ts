import { RE2JS } from "re2js";
import { toLinearSyntax } from "./ecma-pattern.ts";
import { SCHEMA_LIMITS } from "./limits.ts";

/** A regular expression that is matched in linear time, whatever the pattern. */
export class LinearPattern {
  readonly source: string;
  /** Number of instructions of the compiled pattern, which is the maximum work per character. */
  readonly instructions: number;
  readonly #compiled: RE2JS;

  /**
   * @param source - a JavaScript regular expression without lookahead, lookbehind or back references, which linear-time
   *   engines do not support. It is interpreted as with the `u` flag.
   * @throws Error with the reason if the pattern is rejected.
   */
  constructor(source: string) {
    if (source.length > SCHEMA_LIMITS.maxPatternLength) {
      throw new Error(`must have at most ${SCHEMA_LIMITS.maxPatternLength} characters`);
    }
    this.source = source;
    this.#compiled = compile(source);
    this.instructions = this.#compiled.programSize();
    if (this.instructions > SCHEMA_LIMITS.maxPatternInstructions) {
      throw new Error("must have fewer or smaller repetitions: expanded, the pattern is too large");
    }
  }

  /** Checks whether the pattern matches anywhere in the text. */
  test(text: string): boolean {
    return this.#compiled.test(text);
  }
}

function compile(source: string): RE2JS {
  try {
    return RE2JS.compile(toLinearSyntax(source));
  } catch (cause) {
    if (cause instanceof SyntaxError) throw new Error("must be a valid regular expression", { cause });
    throw new Error(
      "must not use lookahead, lookbehind, back references or repetitions over 1000: patterns run in linear time",
      { cause },
    );
  }
}
