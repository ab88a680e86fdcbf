import { LRUCache } from "lru-cache";
import type { EncodedEvent } from "./encoded-event.ts";

/** Memory that a cached event needs in addition to its text, for its object, its key and its entry. */
const OVERHEAD_BYTES = 512;

/** The most recently read events of all executions. Records never change, so the cache is never stale. */
export class EventCache {
  readonly #maxBytes: number;
  readonly #events: LRUCache<string, EncodedEvent>;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
    this.#events = new LRUCache({ maxSize: maxBytes, sizeCalculation: costOf });
  }

  get bytes(): number {
    return this.#events.calculatedSize;
  }

  get(executionId: string, seq: number): EncodedEvent | undefined {
    return this.#events.get(keyOf(executionId, seq));
  }

  /**
   * Adds events.
   *
   * @param events - events in their order. If they don't all fit, the first ones are kept, because readers need them
   *   next.
   */
  add(executionId: string, events: readonly EncodedEvent[]): void {
    let added = 0;
    for (const event of events) {
      added += costOf(event);
      if (added > this.#maxBytes) break;
      this.#events.set(keyOf(executionId, event.seq), event);
    }
  }
}

function keyOf(executionId: string, seq: number): string {
  return `${executionId}:${seq}`;
}

function costOf({ text, size }: EncodedEvent): number {
  return OVERHEAD_BYTES + (typeof text === "string" ? 2 * size : size);
}
