import type { EncodedEvent } from "./encoded-event.ts";

/** What an event costs beside its text: its object, its key and its place. */
const OVERHEAD_BYTES = 512;

/** The events that were read last, of all executions together. What was recorded never changes, so none is out of date. */
export class EventCache {
  readonly #maxBytes: number;
  readonly #events = new Map<string, EncodedEvent>();
  #bytes = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  get bytes(): number {
    return this.#bytes;
  }

  get(executionId: string, seq: number): EncodedEvent | undefined {
    const key = keyOf(executionId, seq);
    const event = this.#events.get(key);
    if (event === undefined) return undefined;
    this.#events.delete(key);
    this.#events.set(key, event);
    return event;
  }

  /** @param events - in order. Of more than fit at once, the first are kept: readers want them next. */
  add(executionId: string, events: readonly EncodedEvent[]): void {
    let added = 0;
    for (const event of events) {
      added += costOf(event);
      if (added > this.#maxBytes) break;
      this.#put(keyOf(executionId, event.seq), event);
    }
    for (const [oldest, event] of this.#events) {
      if (this.#bytes <= this.#maxBytes) break;
      this.#events.delete(oldest);
      this.#bytes -= costOf(event);
    }
  }

  #put(key: string, event: EncodedEvent): void {
    const known = this.#events.get(key);
    if (known !== undefined) this.#bytes -= costOf(known);
    this.#events.delete(key);
    this.#events.set(key, event);
    this.#bytes += costOf(event);
  }
}

function keyOf(executionId: string, seq: number): string {
  return `${executionId}:${seq}`;
}

function costOf({ text, size }: EncodedEvent): number {
  return OVERHEAD_BYTES + (typeof text === "string" ? 2 * size : size);
}
