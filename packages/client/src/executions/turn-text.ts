import type { StreamEvent, TextDelta } from "@yagate/protocol";

/**
 * Removes text that is repeated after a reconnect: each connection delivers the text of the model turn from the start,
 * and the caller already has part of it.
 */
export class TurnText {
  /** How much of the model turn's text the caller already has, in UTF-16 code units. */
  #given = 0;
  #told = 0;

  /** Call this when a new connection starts to deliver the text. */
  reconnect(): void {
    this.#told = 0;
  }

  /** Returns the part of an event that the caller does not have yet; undefined if there is none. */
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
