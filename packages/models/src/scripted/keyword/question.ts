import { readTokens, type Token } from "./words.ts";

/** A range of the question. */
export interface Span {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

/** Maximum length of a question in characters. Limited because each tool is compared with every word. */
const MAX_LENGTH = 4_000;

/** A question, and which parts of it have already been used. */
export class Question {
  readonly text: string;
  readonly tokens: readonly Token[];
  readonly #taken: readonly Span[];

  constructor(text: string, tokens: readonly Token[], taken: readonly Span[]) {
    this.text = text;
    this.tokens = tokens;
    this.#taken = taken;
  }

  static read(text: string): Question {
    const read = text.slice(0, MAX_LENGTH);
    return new Question(read, readTokens(read), []);
  }

  without(spans: readonly Span[]): Question {
    const taken = [...this.#taken, ...spans];
    return new Question(
      this.text,
      this.tokens.filter((token) => !spans.some((span) => overlaps(span, token))),
      taken,
    );
  }

  isFree(span: Span): boolean {
    return !this.#taken.some((taken) => overlaps(taken, span));
  }

  /** Returns the first unused match of a global pattern, or the content of the pattern's group if it has one. */
  find(pattern: RegExp): Span | undefined {
    for (const match of this.text.matchAll(pattern)) {
      const text = match[1] ?? match[0];
      const start = match.index + match[0].indexOf(text);
      const span = { text, start, end: start + text.length };
      if (this.isFree(span)) return span;
    }
    return undefined;
  }
}

function overlaps(left: Span, right: Span): boolean {
  return left.start < right.end && right.start < left.end;
}
