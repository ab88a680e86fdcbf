import type { ExecutionEvent } from "@yagate/protocol";
import type { EventEntry } from "@yagate/store/port";
import type { PartialText } from "./partial-text.ts";

/** Maximum number of events that are buffered for a busy reader. It reads later ones from the event store. */
const MAX_EVENTS = 16;

/**
 * A buffer for one reader, which stays small however slowly the reader reads. It contains a few events and the number
 * of the last event in the log.
 */
export class SubscriberBuffer {
  /** The text that is being written, or otherwise the text that was written last. */
  partialText: PartialText | undefined;
  readonly #events: ExecutionEvent[] = [];
  #dueSeq = 0;
  #hasChanged = false;
  #wake: () => void = () => {};

  /** Number of the last event that is known to be in the log. */
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

  /** Removes and returns the event with this number if it is in the buffer. Drops earlier events. */
  event(seq: number): ExecutionEvent | undefined {
    while ((this.#events[0]?.seq ?? seq) < seq) this.#events.shift();
    return this.#events[0]?.seq === seq ? this.#events.shift() : undefined;
  }

  /** Notes that the log contains an event with this number. */
  expect(seq: number): void {
    this.#dueSeq = Math.max(this.#dueSeq, seq);
  }

  /** Notes that the log ends with this event, even if a later one was expected. */
  settle(seq: number): void {
    this.#dueSeq = seq;
  }

  wake(): void {
    this.#hasChanged = true;
    this.#wake();
  }

  /** Resolves when {@link SubscriberBuffer.wake} has been called since this method last resolved. */
  async changed(): Promise<void> {
    if (!this.#hasChanged) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
    this.#hasChanged = false;
  }
}
