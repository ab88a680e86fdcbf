import type { StreamEvent } from "@yagate/protocol";
import { LRUCache } from "lru-cache";

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

/**
 * Minimum length of a string that is stored as a buffer, in characters. For a shorter string, a buffer would cost more
 * than writing the string.
 */
const MIN_BUFFER_CHARACTERS = 4_096;

const NO_TURN = { turn: 0, attempt: 0 } as const;

/** An event in the form in which streams send it, with the fields that determine its position among other events. */
export interface EncodedEvent {
  readonly type: StreamEvent["type"];
  /** Number of the event; 0 for a text delta. */
  readonly seq: number;
  /** Number of the model turn, for `model.requested`; 0 for all other events. */
  readonly turn: number;
  readonly attempt: number;
  /** The event as a server-sent event. All readers share it, so it is never changed. */
  readonly text: string | Uint8Array;
  /** Length of `text`: bytes of a buffer, or UTF-16 code units of a string. */
  readonly size: number;
}

/** Serialises an event as the server-sent event that all readers receive. */
export function encodeEvent(event: StreamEvent): EncodedEvent {
  const data = `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`;
  const seq = event.type === "text.delta" ? 0 : event.seq;
  const message = seq === 0 ? data : `id: ${seq}\n${data}`;
  const text = message.length < MIN_BUFFER_CHARACTERS ? message : Buffer.from(message);
  const { turn, attempt } = event.type === "model.requested" ? event : NO_TURN;
  return { type: event.type, seq, turn, attempt, text, size: text.length };
}
