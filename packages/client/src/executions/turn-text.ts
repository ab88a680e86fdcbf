import type { StreamEvent, TextDelta } from "@yagate/protocol";

/**
 * Removes repeated text after a reconnect: each connection delivers the model turn's text from its beginning, of which
 * the caller already has a part.
 */
export class TurnText {
  /**
   * How much of the model turn's text the caller has, and how much this connection has delivered, in UTF-16 code units.
   */
  #given = 0;
  #told = 0;

  /** Notes that a new connection starts to deliver the text. */
  reconnect(): void {
    this.#told = 0;
  }

  /** Returns the part of an event that is new to the caller; undefined if there is none. */
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
