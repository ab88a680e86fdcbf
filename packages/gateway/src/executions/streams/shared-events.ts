import type { ExecutionEvent } from "@yagate/protocol";
import type { EventStore } from "@yagate/store/port";
import { type EncodedEvent, EventCache, encodeEvent } from "./event-cache.ts";
import type { ReadSubject } from "./read-slots.ts";
import { ReadSlots } from "./read-slots.ts";

/** Maximum memory for the events that are cached for later readers, in the whole process. */
const MAX_CACHED_BYTES = 32 * 1_048_576;
/** Maximum size of the part of a page that a reader takes. A reader takes at least one event. */
const MAX_TAKEN_BYTES = 262_144;

/** The events of the log after a given event. */
export interface EventPage {
  /** The next events; empty at the end of the log. */
  readonly events: readonly EncodedEvent[];
  /** Number of the last event that is known to be in the log. */
  readonly lastSeq: number;
  /** Whether there were no further events when the page was read. */
  readonly isLast: boolean;
}

/** Options for {@link SharedEvents}. */
export interface SharedEventsOptions {
  readonly eventStore: Pick<EventStore, "entryPage" | "lastSeqOf">;
  /** Slots for the reads; default: new slots. */
  readonly slots?: ReadSlots;
  /** Maximum memory for cached events; default 32 MiB. */
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
    // Separate slots, so that checking whether an execution exists does not wait for reads of megabytes.
    this.#lastSeqs = new SharedReads(new ReadSlots());
  }

  /**
   * Reads the number of an execution's last event. Returns `none` if the workspace has no such execution, and undefined
   * if `signal` is aborted first.
   */
  lastSeqOf(subject: ReadSubject, signal: AbortSignal): Promise<number | "none" | undefined> {
    const { workspaceId, executionId } = subject;
    const read = async () => (await this.#eventStore.lastSeqOf(executionId, workspaceId)) ?? "none";
    return this.#lastSeqs.read(subject, `${workspaceId}/${executionId}`, read, signal);
  }

  /** Serialises an event once for all of its readers. */
  encode(event: ExecutionEvent): EncodedEvent {
    const known = this.#cache.get(event.executionId, event.seq);
    if (known !== undefined) return known;
    const encoded = encodeEvent(event);
    this.#cache.add(event.executionId, [encoded]);
    return encoded;
  }

  /** Returns an event from the cache; undefined if it is not cached. */
  cached(executionId: string, seq: number): EncodedEvent | undefined {
    return this.#cache.get(executionId, seq);
  }

  /**
   * Reads the events after `afterSeq`. Resolves to undefined as soon as `signal` is aborted, if there is no page by
   * then.
   */
  read(subject: ReadSubject, afterSeq: number, signal: AbortSignal): Promise<EventPage | undefined> {
    const key = `${subject.executionId}:${afterSeq}`;
    return this.#pages.read(subject, key, () => this.#readPage(subject.executionId, afterSeq), signal);
  }

  async #readPage(executionId: string, afterSeq: number): Promise<EventPage> {
    // Another reader may have read the event while this read waited for a slot.
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

/**
 * Returns the first events of a page, up to the maximum that one reader may take. An append can be far larger than
 * that.
 */
function firstOf(events: readonly EncodedEvent[]): readonly EncodedEvent[] {
  let bytes = 0;
  const end = events.findIndex(({ size }) => {
    bytes += size;
    return bytes > MAX_TAKEN_BYTES;
  });
  return end === -1 ? events : events.slice(0, Math.max(1, end));
}

/** A read that has not started yet, and the number of readers that wait for it. */
interface QueuedRead<Result> {
  readonly result: Promise<Result>;
  readonly withdraw: () => void;
  readers: number;
}

/**
 * Reads once for all readers that request the same data before the read starts. Each reader gets at least what was
 * committed when it made its request. A read is dropped if all of its readers leave before it starts.
 */
export class SharedReads<Result> {
  readonly #slots: ReadSlots;
  readonly #queued = new Map<string, QueuedRead<Result>>();

  constructor(slots: ReadSlots) {
    this.#slots = slots;
  }

  /** Resolves to the result, or to undefined as soon as `signal` is aborted, if there is no result by then. */
  read(
    subject: ReadSubject,
    key: string,
    work: () => Promise<Result>,
    signal: AbortSignal,
  ): Promise<Result | undefined> {
    if (signal.aborted) return Promise.resolve(undefined);
    const queued = this.#queued.get(key) ?? this.#queue(subject, key, work);
    queued.readers += 1;
    return new Promise((resolve, reject) => {
      const leave = () => {
        queued.readers -= 1;
        if (queued.readers === 0) queued.withdraw();
        resolve(undefined);
      };
      signal.addEventListener("abort", leave, { once: true });
      const stay = () => signal.removeEventListener("abort", leave);
      queued.result.then(resolve, reject).finally(stay);
    });
  }

  #queue(subject: ReadSubject, key: string, work: () => Promise<Result>): QueuedRead<Result> {
    const { promise, resolve, reject } = Promise.withResolvers<Result>();
    let leaveSlots = () => {};
    const leaveQueue = () => {
      if (this.#queued.get(key) === queued) this.#queued.delete(key);
    };
    const queued: QueuedRead<Result> = {
      result: promise,
      readers: 0,
      withdraw() {
        leaveQueue();
        leaveSlots();
      },
    };
    this.#queued.set(key, queued);
    leaveSlots = this.#slots.add(subject, async () => {
      leaveQueue();
      await work().then(resolve, reject);
    });
    return queued;
  }
}
