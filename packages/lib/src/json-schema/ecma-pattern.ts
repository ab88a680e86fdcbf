/**
 * White space as defined by ECMA-262, as ranges for a character class. RE2's own `\s` contains only six ASCII
 * characters.
 */
const SPACES =
  "\\x{9}-\\x{d}\\x{20}\\x{a0}\\x{1680}\\x{2000}-\\x{200a}\\x{2028}\\x{2029}\\x{202f}\\x{205f}\\x{3000}\\x{feff}";
const NOT_SPACES =
  "\\x{0}-\\x{8}\\x{e}-\\x{1f}\\x{21}-\\x{9f}\\x{a1}-\\x{167f}\\x{1681}-\\x{1fff}\\x{200b}-\\x{2027}\\x{202a}-\\x{202e}\\x{2030}-\\x{205e}\\x{2060}-\\x{2fff}\\x{3001}-\\x{fefe}\\x{ff00}-\\x{10ffff}";
const ANY_BUT_LINE_END = "[^\\x{a}\\x{d}\\x{2028}\\x{2029}]";

const CONTROLS: ReadonlyMap<string, number> = new Map([
  ["t", 9],
  ["n", 10],
  ["v", 11],
  ["f", 12],
  ["r", 13],
]);

/** Maps the long names of general categories to the short names that RE2 uses. */
const CATEGORIES: ReadonlyMap<string, string> = new Map(
  Object.entries({
    Letter: "L",
    Cased_Letter: "LC",
    Uppercase_Letter: "Lu",
    Lowercase_Letter: "Ll",
    Titlecase_Letter: "Lt",
    Modifier_Letter: "Lm",
    Other_Letter: "Lo",
    Mark: "M",
    Combining_Mark: "M",
    Nonspacing_Mark: "Mn",
    Spacing_Mark: "Mc",
    Enclosing_Mark: "Me",
    Number: "N",
    Decimal_Number: "Nd",
    digit: "Nd",
    Letter_Number: "Nl",
    Other_Number: "No",
    Punctuation: "P",
    punct: "P",
    Connector_Punctuation: "Pc",
    Dash_Punctuation: "Pd",
    Open_Punctuation: "Ps",
    Close_Punctuation: "Pe",
    Initial_Punctuation: "Pi",
    Final_Punctuation: "Pf",
    Other_Punctuation: "Po",
    Symbol: "S",
    Math_Symbol: "Sm",
    Currency_Symbol: "Sc",
    Modifier_Symbol: "Sk",
    Other_Symbol: "So",
    Separator: "Z",
    Space_Separator: "Zs",
    Line_Separator: "Zl",
    Paragraph_Separator: "Zp",
    Control: "Cc",
    cntrl: "Cc",
    Format: "Cf",
    Surrogate: "Cs",
    Private_Use: "Co",
  }),
);

/** Thrown if a valid pattern uses a feature that a linear-time engine can't support. */
export class NonLinearSyntax extends Error {
  override readonly name = "NonLinearSyntax";
}

/**
 * Translates a regular expression of ECMA-262 to RE2 with the same meaning, because `\s`, `.`, `$` and `\p{Letter}`
 * differ between the two. The expression is parsed with the `u` flag, as JSON Schema requires, or without the flag if
 * it is only valid without it, such as `^[\w\@]+$`. In both cases, it is matched against code points.
 *
 * @throws NonLinearSyntax for lookaround, back references, and properties and modifiers that RE2 does not support.
 * @throws SyntaxError for an invalid regular expression.
 */
export function toLinearSyntax(source: string): string {
  return new Translation(source, isUnicodePattern(source)).run();
}

function isUnicodePattern(source: string): boolean {
  try {
    return new RegExp(source, "u").unicode;
  } catch {
    return new RegExp(source).unicode;
  }
}

/** One member of a class: a code point, or a set in RE2's syntax. */
type ClassMember = number | string;

class Translation {
  readonly #source: string;
  readonly #isUnicode: boolean;
  #at = 0;

  constructor(source: string, isUnicode: boolean) {
    this.#source = source;
    this.#isUnicode = isUnicode;
  }

  run(): string {
    let out = "";
    while (this.#at < this.#source.length) out += this.#term();
    return out;
  }

  #term(): string {
    const character = this.#next();
    switch (character) {
      case "\\":
        return this.#escape();
      case "[":
        return this.#characterClass();
      case "(":
        return this.#group();
      case ".":
        return ANY_BUT_LINE_END;
      case "^":
        return "\\A";
      case "$":
        return "\\z";
      case "{":
        return this.#take(/\d+(?:,\d*)?\}/y)?.replace(/^/, "{") ?? "\\{";
      case "*":
      case "+":
      case "?":
      case "|":
      case ")":
        return character;
      default:
        return literal(character.codePointAt(0) ?? 0);
    }
  }

  /** Translates a group. The result does not capture, because only back references need captures. */
  #group(): string {
    if (this.#take(/\?(?:=|!|<=|<!)/y) !== undefined) throw new NonLinearSyntax("lookaround");
    if (this.#take(/\?<[^>]+>/y) !== undefined) return "(?:";
    const modifiers = this.#take(/\?[a-z-]*:/y);
    if (modifiers === undefined || modifiers === "?:") return "(?:";
    if (!/^\?-?i:$/.test(modifiers)) throw new NonLinearSyntax("modifiers");
    return `(${modifiers}`;
  }

  #escape(): string {
    if (this.#take(/b/y) !== undefined) return "\\b";
    if (this.#take(/B/y) !== undefined) return "\\B";
    if (/[1-9k]/.test(this.#source.charAt(this.#at))) throw new NonLinearSyntax("back reference");
    const member = this.#escapedMember();
    return typeof member === "number" ? literal(member) : `[${member}]`;
  }

  #characterClass(): string {
    const isNegated = this.#take(/\^/y) !== undefined;
    let members = "";
    while (this.#take(/\]/y) === undefined) {
      const first = this.#classMember();
      if (this.#take(/-(?!\])/y) === undefined) {
        members += inClass(first);
        continue;
      }
      const last = this.#classMember();
      const isRange = typeof first === "number" && typeof last === "number";
      members += isRange ? `${inClass(first)}-${inClass(last)}` : `${inClass(first)}\\x{2d}${inClass(last)}`;
    }
    if (members === "") return isNegated ? "[\\x{0}-\\x{10ffff}]" : "[^\\x{0}-\\x{10ffff}]";
    return `[${isNegated ? "^" : ""}${members}]`;
  }

  #classMember(): ClassMember {
    const character = this.#next();
    if (character !== "\\") return character.codePointAt(0) ?? 0;
    if (this.#take(/b/y) !== undefined) return 8;
    return this.#escapedMember();
  }

  /** Translates an escape, inside or outside a class. */
  #escapedMember(): ClassMember {
    const letter = this.#next();
    const control = CONTROLS.get(letter);
    if (control !== undefined) return control;
    if (/[dDwW]/.test(letter)) return `\\${letter}`;
    if (letter === "s") return SPACES;
    if (letter === "S") return NOT_SPACES;
    if (/[pP]/.test(letter) && this.#isUnicode) return this.#property(letter);
    if (letter === "x") return hex(this.#take(/[0-9a-fA-F]{2}/y)) ?? 0x78;
    if (letter === "u") return this.#unicodeEscape();
    if (letter === "c") return this.#controlLetter();
    if (/[0-9]/.test(letter)) {
      if (letter === "0" && !/[0-9]/.test(this.#source.charAt(this.#at))) return 0;
      throw new NonLinearSyntax("octal escape");
    }
    return letter.codePointAt(0) ?? 0;
  }

  #unicodeEscape(): number {
    const pair = this.#take(/[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}/y);
    if (pair !== undefined) {
      const [high = "", low = ""] = pair.split("\\u");
      return String.fromCharCode(Number.parseInt(high, 16), Number.parseInt(low, 16)).codePointAt(0) ?? 0;
    }
    const braced = this.#isUnicode ? this.#take(/\{[0-9a-fA-F]+\}/y) : undefined;
    return hex(braced?.slice(1, -1)) ?? hex(this.#take(/[0-9a-fA-F]{4}/y)) ?? 0x75;
  }

  #controlLetter(): number {
    const letter = this.#take(/[a-zA-Z]/y);
    if (letter !== undefined) return letter.charCodeAt(0) % 32;
    // Unless a letter follows, the backslash is literal.
    this.#at -= 1;
    return 0x5c;
  }

  #property(letter: string): string {
    const whole = this.#take(/\{[^}]*\}/y)?.slice(1, -1) ?? "";
    const name = whole.replace(/^(?:General_Category|gc|Script|sc)=/, "");
    if (name === "ASCII") return letter === "p" ? "\\x{0}-\\x{7f}" : "\\x{80}-\\x{10ffff}";
    if (name.includes("=")) throw new NonLinearSyntax("property");
    return `\\${letter}{${CATEGORIES.get(name) ?? name}}`;
  }

  #next(): string {
    const character = String.fromCodePoint(this.#source.codePointAt(this.#at) ?? 0);
    this.#at += character.length;
    return character;
  }

  /**
   * Consumes the text that a sticky expression matches at the current position. Returns undefined if it does not match.
   */
  #take(expression: RegExp): string | undefined {
    expression.lastIndex = this.#at;
    const found = expression.exec(this.#source)?.[0];
    if (found !== undefined) this.#at += found.length;
    return found;
  }
}

function literal(code: number): string {
  return /[\w]/.test(String.fromCodePoint(code)) ? String.fromCodePoint(code) : `\\x{${code.toString(16)}}`;
}

function inClass(member: ClassMember): string {
  return typeof member === "number" ? `\\x{${member.toString(16)}}` : member;
}

function hex(digits: string | undefined): number | undefined {
  return digits === undefined ? undefined : Number.parseInt(digits, 16);
}
