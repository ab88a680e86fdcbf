import { RE2JS } from "re2js";
import { SCHEMA_LIMITS } from "./limits.ts";

/** A regular expression that needs time in proportion to its input, whatever the pattern. */
export class LinearPattern {
  readonly source: string;
  /** Instructions of the compiled pattern: the most work that one character can cost. */
  readonly instructions: number;
  readonly #compiled: RE2JS;

  /**
   * @param source - a JavaScript regular expression without lookahead, lookbehind and back references, which no
   * linear-time engine has. `\s` and `\d` are ASCII; `.` is any character but a newline.
   * @throws Error whose message says why the pattern is refused.
   */
  constructor(source: string) {
    if (source.length > SCHEMA_LIMITS.maxPatternLength) {
      throw new Error(`must have at most ${SCHEMA_LIMITS.maxPatternLength} characters`);
    }
    if (!isJavaScriptPattern(source)) throw new Error("must be a valid regular expression");
    this.source = source;
    this.#compiled = compile(source);
    this.instructions = this.#compiled.programSize();
    if (this.instructions > SCHEMA_LIMITS.maxPatternInstructions) {
      throw new Error("must have fewer or smaller repetitions: unfolded, the pattern is too large");
    }
  }

  /** Whether the pattern matches anywhere in the text. */
  test(text: string): boolean {
    return this.#compiled.test(text);
  }
}

function compile(source: string): RE2JS {
  try {
    return RE2JS.compile(RE2JS.translateRegExp(source));
  } catch (cause) {
    throw new Error(
      "must do without lookahead, lookbehind, back references and repetitions over 1000: patterns run in linear time",
      { cause },
    );
  }
}

/** The engine alone would also take syntax of its own, such as `(?i)`, that no other validator understands. */
function isJavaScriptPattern(source: string): boolean {
  return ["u", ""].some((flags) => {
    try {
      return new RegExp(source, flags) instanceof RegExp;
    } catch {
      return false;
    }
  });
}
