import type { ExecutionEvent } from "@yagate/protocol";
import type { EventEntry } from "@yagate/store/port";
import type { PartialText } from "./partial-text.ts";

/** Events that are kept for a reader who is busy. What comes after them it reads from the journal. */
const MAX_EVENTS = 16;

/** What there is for one reader, however slow it is: a few events, and the knowledge that there are more. */
export class SubscriberBuffer {
  /** The draft that is being written, or the last one. */
  partialText: PartialText | undefined;
  readonly #events: ExecutionEvent[] = [];
  #dueSeq = 0;
  #hasNews = false;
  #wake: () => void = () => {};

  /** The last event that is known to be in the journal. */
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

  /** Removes and gives the event of this number, if it is here; older ones go too. */
  event(seq: number): ExecutionEvent | undefined {
    while ((this.#events[0]?.seq ?? seq) < seq) this.#events.shift();
    return this.#events[0]?.seq === seq ? this.#events.shift() : undefined;
  }

  /** The journal has an event of this number. */
  expect(seq: number): void {
    this.#dueSeq = Math.max(this.#dueSeq, seq);
  }

  /** The journal has nothing after this event, whatever was said. */
  settle(seq: number): void {
    this.#dueSeq = seq;
  }

  wake(): void {
    this.#hasNews = true;
    this.#wake();
  }

  /** Resolves when {@link SubscriberBuffer.wake} was called since it resolved last. */
  async changed(): Promise<void> {
    if (!this.#hasNews) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
    this.#hasNews = false;
  }
}
