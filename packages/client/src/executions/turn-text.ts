import type { StreamEvent, TextDelta } from "@yagate/protocol";

/**
 * Keeps the text of a turn free of repetitions over broken connections: each connection tells it from its beginning, so
 * far as it is written, and the caller has some of that already.
 */
export class TurnText {
  /** UTF-16 code units of the turn's text: what the caller has, and what this connection has told. */
  #given = 0;
  #told = 0;

  /** A new connection begins. */
  reconnect(): void {
    this.#told = 0;
  }

  /** What of an event is new to the caller; undefined when nothing is. */
  fresh(event: StreamEvent): StreamEvent | undefined {
    if (event.type === "text.delta") return this.#freshText(event);
    if (event.type === "model.requested" || event.type === "model.failed") {
      this.#given = 0;
      this.#told = 0;
    }
    return event;
  }

  #freshText(delta: TextDelta): TextDelta | undefined {
    const start = this.#told;
    this.#told += delta.text.length;
    if (this.#told <= this.#given) return undefined;
    const text = delta.text.slice(Math.max(0, this.#given - start));
    this.#given = this.#told;
    return { ...delta, text };
  }
}
