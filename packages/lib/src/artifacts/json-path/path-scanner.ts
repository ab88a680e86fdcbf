import { JsonPathError } from "./json-path-error.ts";

const BLANKS = new Set([" ", "\t", "\n", "\r"]);
const INTEGER = /-?[0-9]+/y;
const STRICT_INTEGER = /^(?:0|-?[1-9][0-9]*)$/;
const HEX_4 = /[0-9A-Fa-f]{4}/y;
// `name-first` and `name-char` of the grammar, including characters beyond the basic plane but no lone surrogates.
const MEMBER_NAME = /[A-Za-z_\u{80}-\u{D7FF}\u{E000}-\u{10FFFF}][0-9A-Za-z_\u{80}-\u{D7FF}\u{E000}-\u{10FFFF}]*/uy;

const ESCAPES: Readonly<Record<string, string>> = {
  b: "\b",
  f: "\f",
  n: "\n",
  r: "\r",
  t: "\t",
  "/": "/",
  "\\": "\\",
};

/** Reads the tokens of a path in order. */
export class PathScanner {
  readonly #text: string;
  position = 0;

  constructor(text: string) {
    this.#text = text;
  }

  get isAtEnd(): boolean {
    return this.position >= this.#text.length;
  }

  get next(): string {
    return this.#text.charAt(this.position);
  }

  /** Consumes `word` if it comes next. Returns whether it did. */
  take(word: string): boolean {
    if (!this.#text.startsWith(word, this.position)) return false;
    this.position += word.length;
    return true;
  }

  skipBlanks(): void {
    while (BLANKS.has(this.next)) this.position += 1;
  }

  /**
   * Throws an error that states what was expected at the current position.
   *
   * @throws JsonPathError always.
   */
  fail(expected: string): never {
    const found = this.isAtEnd ? "the path ends" : `there is ${JSON.stringify(this.next)}`;
    throw new JsonPathError(`expected ${expected} at position ${this.position}, but ${found}`, this.position);
  }

  memberName(): string | undefined {
    return this.#match(MEMBER_NAME);
  }

  /** Consumes an integer from -(2^53 - 1) to 2^53 - 1, without leading zeros. Returns undefined if none comes next. */
  integer(): number | undefined {
    const start = this.position;
    const digits = this.#match(INTEGER);
    if (digits === undefined) return undefined;
    const value = Number(digits);
    if (STRICT_INTEGER.test(digits) && Number.isSafeInteger(value)) return value;
    this.position = start;
    return this.fail("a number without leading zeros, between -(2^53 - 1) and 2^53 - 1,");
  }

  /** Consumes a name between single or double quotes. Returns undefined if none comes next. */
  quotedName(): string | undefined {
    const quote = this.next;
    if (quote !== '"' && quote !== "'") return undefined;
    this.position += 1;
    let name = "";
    for (;;) {
      if (this.isAtEnd) return this.fail(`a closing ${quote}`);
      if (this.take(quote)) return name;
      name += this.take("\\") ? this.#escaped(quote) : this.#plain();
    }
  }

  #plain(): string {
    const character = this.next;
    if (character < " ") return this.fail("control characters to be escaped");
    if (isSurrogate(character.charCodeAt(0))) {
      const whole = String.fromCodePoint(this.#text.codePointAt(this.position) ?? 0);
      if (whole.length === 1) return this.fail("no lone surrogate");
      this.position += 2;
      return whole;
    }
    this.position += 1;
    return character;
  }

  #escaped(quote: string): string {
    const letter = this.next;
    if (letter === "u") return this.#unicode();
    const character = letter === quote ? quote : ESCAPES[letter];
    if (character === undefined) return this.fail("a JSON escape");
    this.position += 1;
    return character;
  }

  #unicode(): string {
    const unit = this.#unit();
    if (!isSurrogate(unit)) return String.fromCharCode(unit);
    if (unit >= 0xdc00 || !this.take("\\")) return this.fail("both halves of a surrogate pair");
    const low = this.next === "u" ? this.#unit() : 0;
    if (low < 0xdc00 || low > 0xdfff) return this.fail("both halves of a surrogate pair");
    return String.fromCharCode(unit, low);
  }

  #unit(): number {
    this.position += 1;
    const digits = this.#match(HEX_4);
    return digits === undefined ? this.fail("4 hexadecimal digits") : Number.parseInt(digits, 16);
  }

  #match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.position;
    const found = pattern.exec(this.#text)?.[0];
    if (found !== undefined) this.position += found.length;
    return found;
  }
}

function isSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdfff;
}
