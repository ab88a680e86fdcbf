import type { ExecutionEvent } from "@yagate/protocol";
import type { EventEntry } from "@yagate/store/port";
import type { PartialText } from "./partial-text.ts";

/** Events that are kept for a busy reader. It reads later ones from the event store. */
const MAX_EVENTS = 16;

/** The buffer of one reader, however slow it is: a few events, and the knowledge that there are more. */
export class SubscriberBuffer {
  /** The text that is being written, or the last one. */
  partialText: PartialText | undefined;
  readonly #events: ExecutionEvent[] = [];
  #dueSeq = 0;
  #hasChanged = false;
  #wake: () => void = () => {};

  /** The number of the last event that is known to be in the log. */
  get dueSeq(): number {
    return this.#dueSeq;
  }

  takeEntries(entries: readonly EventEntry[]): void {
    for (const { event } of entries) {
      this.#dueSeq = Math.max(this.#dueSeq, event.seq);
      if (this.#events.length < MAX_EVENTS) this.#events.push(event);
    }
    this.wake();
  }

  takePartialText(partialText: PartialText): void {
    this.partialText = partialText;
    this.wake();
  }

  /** Removes and returns the event with this number, if it is here; drops older ones. */
  event(seq: number): ExecutionEvent | undefined {
    while ((this.#events[0]?.seq ?? seq) < seq) this.#events.shift();
    return this.#events[0]?.seq === seq ? this.#events.shift() : undefined;
  }

  /** The log has an event with this number. */
  expect(seq: number): void {
    this.#dueSeq = Math.max(this.#dueSeq, seq);
  }

  /** The log ends with this event, whatever was expected. */
  settle(seq: number): void {
    this.#dueSeq = seq;
  }

  wake(): void {
    this.#hasChanged = true;
    this.#wake();
  }

  /** Resolves when {@link SubscriberBuffer.wake} has been called since it last resolved. */
  async changed(): Promise<void> {
    if (!this.#hasChanged) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
    this.#hasChanged = false;
  }
}
