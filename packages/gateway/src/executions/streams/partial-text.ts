import type { PartialTurn } from "@yagate/store/port";

/** Maximum length of the recent text, which is kept as one growing string. Older text is stored in blocks. */
const MAX_RECENT_LENGTH = 4_096;

/** The model request that a partial text belongs to. */
export interface PartialTextKey {
  readonly executionId: string;
  readonly turn: number;
  readonly attempt: number;
}

/** The text of a model turn so far. The cost of reading its end does not depend on its length. */
export class PartialText implements PartialTurn {
  readonly executionId: string;
  readonly turn: number;
  readonly attempt: number;
  readonly #blocks: { readonly start: number; readonly text: string }[] = [];
  #recent = "";
  #recentStart = 0;

  constructor({ executionId, turn, attempt }: PartialTextKey) {
    this.executionId = executionId;
    this.turn = turn;
    this.attempt = attempt;
  }

  get length(): number {
    return this.#recentStart + this.#recent.length;
  }

  append(text: string): void {
    this.#recent += text;
    if (this.#recent.length < MAX_RECENT_LENGTH) return;
    this.#blocks.push({ start: this.#recentStart, text: this.#recent });
    this.#recentStart += this.#recent.length;
    this.#recent = "";
  }

  since(position: number): string {
    if (position >= this.#recentStart) return this.#recent.slice(position - this.#recentStart);
    const first = this.#blocks.findLastIndex(({ start }) => start <= position);
    const [block, ...later] = this.#blocks.slice(Math.max(0, first));
    if (block === undefined) return this.#recent;
    return block.text.slice(position - block.start) + later.map(({ text }) => text).join("") + this.#recent;
  }

  /** Returns whether this text belongs to a later model request of the same execution than `other`. */
  isAfter(other: Pick<PartialTextKey, "turn" | "attempt">): boolean {
    return this.turn === other.turn ? this.attempt > other.attempt : this.turn > other.turn;
  }
}
