import { appendPointer } from "@yagate/lib/json/json-pointer";
import { type Awaited, hintFor } from "./hints.ts";
import { isLossy } from "./lossy-number.ts";
import { endOfNumber, endOfString } from "./scan-token.ts";
import { SyntaxFault } from "./syntax-fault.ts";

/** Valid JSON that programs may read differently than its author intended. */
export interface TextFinding {
  readonly code: "DUPLICATE_KEY" | "LOSSY_NUMBER";
  /** JSON pointer of the finding. */
  readonly path: string;
  readonly offset: number;
  /** The text of the name or number. */
  readonly token: string;
}

/** The result of a scan. */
export interface TextScan {
  /** The syntax error; absent if the text is JSON. */
  readonly fault?: SyntaxFault;
  /** JSON pointer of the object or array that contains the error. */
  readonly faultPath: string;
  /** The brackets that were open at the error, outermost first. */
  readonly open: readonly { readonly bracket: "{" | "["; readonly offset: number }[];
  /** Nesting depth of objects and arrays, up to the end of the scan. */
  readonly depth: number;
  readonly findings: readonly TextFinding[];
  readonly findingCount: number;
}

interface Container {
  readonly bracket: "{" | "[";
  readonly offset: number;
  readonly names: Set<string>;
  /** The name or index of the current member. */
  key: string | number;
}

const MAX_FINDINGS = 20;
const WORD = /[a-z]+/y;
const SPACE = /[ \t\r\n]*/y;

/** Scans a text by the grammar of RFC 8259, without recursion, and records ambiguities. */
export function scanJson(text: string): TextScan {
  return new Scan(text).run();
}

class Scan {
  readonly #text: string;
  readonly #open: Container[] = [];
  readonly #findings: TextFinding[] = [];
  #findingCount = 0;
  #depth = 0;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  run(): TextScan {
    try {
      this.#skipSpace();
      while (this.#valueGoesOn()) this.#skipSpace();
      return this.#report();
    } catch (error) {
      if (!(error instanceof SyntaxFault)) throw error;
      return { ...this.#report(), fault: error };
    }
  }

  #report(): TextScan {
    const path = this.#open.slice(0, -1).reduce((pointer, { key }) => appendPointer(pointer, key), "");
    const open = this.#open.map(({ bracket, offset }) => ({ bracket, offset }));
    const [findings, findingCount] = [this.#findings, this.#findingCount];
    return { faultPath: path, open, depth: this.#depth, findings, findingCount };
  }

  /**
   * Scans a value or the start of an object or array, and what follows it. @returns whether another value must follow.
   */
  #valueGoesOn(): boolean {
    const character = this.#text.charAt(this.#at);
    if (character === "{" || character === "[") {
      this.#enter(character);
      if (this.#text.charAt(this.#at) !== (character === "{" ? "}" : "]")) {
        if (character === "{") this.#readName();
        return true;
      }
    } else {
      this.#readScalar(character);
    }
    return this.#membersGoOn();
  }

  #enter(bracket: "{" | "["): void {
    this.#open.push({ bracket, offset: this.#at, names: new Set(), key: 0 });
    this.#depth = Math.max(this.#depth, this.#open.length);
    this.#at += 1;
    this.#skipSpace();
  }

  /** Scans closing brackets up to a comma or the end. @returns whether a value must follow. */
  #membersGoOn(): boolean {
    for (;;) {
      const container = this.#open.at(-1);
      if (container !== undefined && this.#text.charAt(this.#at) === closing(container.bracket)) {
        this.#open.pop();
        this.#at += 1;
        this.#skipSpace();
        continue;
      }
      this.#skipSpace();
      if (container === undefined) {
        if (this.#at < this.#text.length) throw this.#fault("the end of the text", "end");
        return false;
      }
      const character = this.#text.charAt(this.#at);
      if (character === closing(container.bracket)) continue;
      if (character !== ",") throw this.#fault(`a comma or ${closing(container.bracket)}`, "separator");
      this.#at += 1;
      this.#skipSpace();
      if (container.bracket === "{") this.#readName();
      else if (typeof container.key === "number") container.key += 1;
      return true;
    }
  }

  #readName(): void {
    if (this.#text.charAt(this.#at) !== '"') throw this.#fault("a name in double quotes", "name");
    const start = this.#at;
    this.#at = endOfString(this.#text, start);
    const token = this.#text.slice(start, this.#at);
    const name = String(JSON.parse(token));
    const container = this.#open.at(-1);
    if (container !== undefined) {
      container.key = name;
      if (container.names.has(name)) this.#note("DUPLICATE_KEY", start, token);
      container.names.add(name);
    }
    this.#skipSpace();
    if (this.#text.charAt(this.#at) !== ":") throw this.#fault("a colon", "colon");
    this.#at += 1;
  }

  #readScalar(character: string): void {
    const start = this.#at;
    if (character === '"') {
      this.#at = endOfString(this.#text, start);
    } else if (/[-0-9]/.test(character)) {
      this.#at = endOfNumber(this.#text, start);
      const token = this.#text.slice(start, this.#at);
      if (isLossy(token)) this.#note("LOSSY_NUMBER", start, token);
    } else {
      WORD.lastIndex = start;
      const word = WORD.exec(this.#text)?.[0] ?? "";
      if (word !== "true" && word !== "false" && word !== "null") throw this.#fault("a JSON value", "value");
      this.#at += word.length;
    }
  }

  #note(code: TextFinding["code"], offset: number, token: string): void {
    this.#findingCount += 1;
    if (this.#findings.length >= MAX_FINDINGS) return;
    const path = this.#open.reduce((pointer, { key }) => appendPointer(pointer, key), "");
    this.#findings.push({ code, path, offset, token });
  }

  #skipSpace(): void {
    SPACE.lastIndex = this.#at;
    SPACE.test(this.#text);
    this.#at = SPACE.lastIndex;
  }

  #fault(expected: string, awaited: Awaited): SyntaxFault {
    return new SyntaxFault(this.#at, expected, { hint: hintFor(this.#text, this.#at, awaited) });
  }
}

function closing(bracket: "{" | "["): string {
  return bracket === "{" ? "}" : "]";
}
