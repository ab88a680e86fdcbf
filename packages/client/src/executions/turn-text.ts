import type { StreamEvent, TextDelta } from "@yagate/protocol";

/**
 * Removes repeated text after a reconnect: each connection delivers the text of the model turn from its beginning, and
 * the caller already has some of it.
 */
export class TurnText {
  /** UTF-16 code units of the model turn's text: what the caller has, and what this connection has delivered. */
  #given = 0;
  #told = 0;

  /** Starts a new connection. */
  reconnect(): void {
    this.#told = 0;
  }

  /** Returns the part of an event that is new to the caller; undefined if nothing is. */
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
