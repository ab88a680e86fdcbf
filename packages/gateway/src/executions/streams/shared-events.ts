import type { ExecutionEvent } from "@yagate/protocol";
import type { EventStore } from "@yagate/store/port";
import { type EncodedEvent, encodeEvent } from "./encoded-event.ts";
import { EventCache } from "./event-cache.ts";
import { ReadSlots } from "./read-slots.ts";
import type { ReadSubject } from "./reader-queue.ts";
import { SharedReads } from "./shared-reads.ts";

/** Memory of all events that are kept for later readers, in the whole process. */
const MAX_CACHED_BYTES = 32 * 1_048_576;
/** A reader takes as much of a page as this, and at least one event. */
const MAX_TAKEN_BYTES = 262_144;

/** What stands in the log after an event. */
export interface EventPage {
  /** The next events; empty at the end of the log. */
  readonly events: readonly EncodedEvent[];
  /** The last event that is known to be in the log. */
  readonly lastSeq: number;
  /** There were no others when the reader asked. */
  readonly isLast: boolean;
}

/** Options of {@link SharedEvents}. */
export interface SharedEventsOptions {
  readonly eventStore: Pick<EventStore, "entryPage" | "lastSeqOf">;
  /** Default: slots of its own. */
  readonly slots?: ReadSlots;
  /** Default 32 MiB. */
  readonly maxCachedBytes?: number;
}

/** The recorded events of all executions, read and serialised once for many readers. */
export class SharedEvents {
  readonly #eventStore: SharedEventsOptions["eventStore"];
  readonly #slots: ReadSlots;
  readonly #cache: EventCache;
  readonly #pages: SharedReads<EventPage>;
  readonly #lastSeqs: SharedReads<number | "none">;

  constructor({ eventStore, slots = new ReadSlots(), maxCachedBytes = MAX_CACHED_BYTES }: SharedEventsOptions) {
    this.#eventStore = eventStore;
    this.#slots = slots;
    this.#cache = new EventCache(maxCachedBytes);
    this.#pages = new SharedReads(slots);
    // Apart: whether there is such an execution must not wait until others have read megabytes.
    this.#lastSeqs = new SharedReads(new ReadSlots());
  }

  /**
   * The number of an execution's last event; `none` where the workspace has no such execution, undefined once `signal`
   * is aborted.
   */
  lastSeqOf(subject: ReadSubject, signal: AbortSignal): Promise<number | "none" | undefined> {
    const { workspaceId, executionId } = subject;
    const read = async () => (await this.#eventStore.lastSeqOf(executionId, workspaceId)) ?? "none";
    return this.#lastSeqs.read(subject, `${workspaceId}/${executionId}`, read, signal);
  }

  /** An event that the caller has, as all its readers get it. */
  encode(event: ExecutionEvent): EncodedEvent {
    const known = this.#cache.get(event.executionId, event.seq);
    if (known !== undefined) return known;
    const encoded = encodeEvent(event);
    this.#cache.add(event.executionId, [encoded]);
    return encoded;
  }

  /** An event that was read lately. */
  cached(executionId: string, seq: number): EncodedEvent | undefined {
    return this.#cache.get(executionId, seq);
  }

  /** Reads on after an event; undefined, at once, when `signal` is aborted before there is a page. */
  read(subject: ReadSubject, afterSeq: number, signal: AbortSignal): Promise<EventPage | undefined> {
    const key = `${subject.executionId}:${afterSeq}`;
    return this.#pages.read(subject, key, () => this.#readPage(subject.executionId, afterSeq), signal);
  }

  async #readPage(executionId: string, afterSeq: number): Promise<EventPage> {
    // Somebody else may have read it while this read waited for its turn.
    const next = this.#cache.get(executionId, afterSeq + 1);
    if (next !== undefined) return { events: [next], lastSeq: next.seq, isLast: false };
    const { entries, isLast } = await this.#eventStore.entryPage(executionId, afterSeq);
    return this.#slots.measure(() => {
      const encoded = entries.map(({ event }) => encodeEvent(event));
      this.#cache.add(executionId, encoded);
      return { events: firstOf(encoded), lastSeq: encoded.at(-1)?.seq ?? afterSeq, isLast };
    });
  }
}

/** An append can be far larger than what one reader may hold. */
function firstOf(events: readonly EncodedEvent[]): readonly EncodedEvent[] {
  let bytes = 0;
  const end = events.findIndex(({ size }) => {
    bytes += size;
    return bytes > MAX_TAKEN_BYTES;
  });
  return end === -1 ? events : events.slice(0, Math.max(1, end));
}
