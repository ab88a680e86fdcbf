import { beginningOf } from "@yagate/lib/text/cut-text";
import { type ExecutionEvent, FINAL_EVENT_TYPES, type TextDelta } from "@yagate/protocol";
import type { EventEntry, EventStore } from "@yagate/store/port";
import { type EncodedEvent, encodeEvent } from "./event-cache.ts";
import type { ReadSubject } from "./read-slots.ts";
import type { SharedEvents } from "./shared-events.ts";
import type { PartialText, TextDeltas } from "./text-deltas.ts";

/** The sources from which readers get events and text. */
export interface FollowSource {
  readonly eventStore: Pick<EventStore, "subscribe">;
  readonly events: SharedEvents;
  readonly deltas?: TextDeltas;
}

/**
 * Yields the numbered events of an execution after `afterSeq`, without gaps or repeats, up to its last event, with text
 * deltas between them. Ends early when `signal` is aborted.
 *
 * The deltas of a model turn, joined, are always the beginning of its text. A reader that arrives in the middle first
 * gets the text so far. A slow reader gets larger deltas, so that little text waits for it in memory. If
 * `source.deltas` is set, the reader counts as a subscriber, and models stream for it.
 *
 * @param afterSeq - number of the last event that the reader has seen; 0 for all events.
 * @param knownSeq - number of an event that was in the log when the reader arrived. If the log no longer contains it,
 *   the execution was deleted and the generator ends.
 */
export async function* follow(
  source: FollowSource,
  subject: ReadSubject,
  afterSeq: number,
  signal: AbortSignal,
  knownSeq = afterSeq,
): AsyncGenerator<EncodedEvent, void, void> {
  const { executionId } = subject;
  const buffer = new SubscriberBuffer();
  // The subscription precedes the first read. Events that are appended in between arrive twice, and their numbers
  // identify the duplicates.
  const stopEvents = source.eventStore.subscribe(executionId, (entries) => buffer.takeEntries(entries));
  const stopDeltas = source.deltas?.subscribe(executionId, (partialText) => buffer.takePartialText(partialText));
  const onAbort = () => buffer.wake();
  signal.addEventListener("abort", onAbort);
  try {
    yield* withPartialText(
      numberedEvents(source.events, buffer, { subject, afterSeq, knownSeq }, signal),
      buffer,
      afterSeq,
    );
  } finally {
    stopEvents();
    stopDeltas?.();
    signal.removeEventListener("abort", onAbort);
  }
}

/** Yielded instead of an event when there is none at present. */
const NONE_YET = "none yet";

/** Yields the event with the number `afterSeq` and the events after it. The first one shows whether any can follow. */
async function* numberedEvents(
  shared: SharedEvents,
  buffer: SubscriberBuffer,
  position: { readonly subject: ReadSubject; readonly afterSeq: number; readonly knownSeq: number },
  signal: AbortSignal,
): AsyncGenerator<EncodedEvent | typeof NONE_YET, void, void> {
  const { subject, afterSeq, knownSeq } = position;
  let lastSeq = Math.max(0, afterSeq - 1);
  let mayHaveMore = true;
  while (!signal.aborted) {
    const received = buffer.event(lastSeq + 1);
    const next = received === undefined ? shared.cached(subject.executionId, lastSeq + 1) : shared.encode(received);
    if (next !== undefined) {
      lastSeq = next.seq;
      yield next;
    } else if (mayHaveMore || buffer.dueSeq > lastSeq) {
      const { dueSeq } = buffer;
      const page = await shared.read(subject, lastSeq, signal);
      if (page === undefined || (page.events.length === 0 && lastSeq < knownSeq)) return;
      mayHaveMore = !page.isLast;
      if (page.events.length > 0) buffer.expect(page.lastSeq);
      else if (buffer.dueSeq === dueSeq) buffer.settle(lastSeq);
      for (const event of page.events) {
        lastSeq = event.seq;
        yield event;
      }
    } else {
      yield NONE_YET;
      if (buffer.dueSeq <= lastSeq && !signal.aborted) await buffer.changed();
    }
  }
}

async function* withPartialText(
  events: AsyncIterable<EncodedEvent | typeof NONE_YET>,
  buffer: SubscriberBuffer,
  afterSeq: number,
): AsyncGenerator<EncodedEvent, void, void> {
  const reader = new PartialTextReader(buffer);
  for await (const event of events) {
    for (const delta of reader.deltas()) yield encodeEvent(delta);
    if (event === NONE_YET) continue;
    reader.pass(event);
    if (event.seq > afterSeq) yield event;
    if (FINAL_EVENT_TYPES.has(event.type)) return;
  }
}

/** Maximum number of events that are buffered for a busy reader. It reads later ones from the event store. */
const MAX_EVENTS = 16;

/**
 * A buffer for one reader, which stays small however slowly the reader reads. It contains a few events and the number
 * of the last event in the log.
 */
class SubscriberBuffer {
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

/** Maximum length of one delta's text, in UTF-16 code units. */
const MAX_DELTA_LENGTH = 16_384;

/**
 * Inserts text deltas between the numbered events of one reader. It emits text of a model request only if the reader
 * has seen the start of that request but not its end, and it emits that text from its beginning. Other text would not
 * belong to any turn that the reader has seen.
 */
export class PartialTextReader {
  readonly #buffer: Pick<SubscriberBuffer, "partialText">;
  #open: { readonly turn: number; readonly attempt: number } | undefined;
  #position = 0;

  constructor(buffer: Pick<SubscriberBuffer, "partialText">) {
    this.#buffer = buffer;
  }

  /** Must be called with every event before the reader gets the event. */
  pass(event: Pick<EncodedEvent, "type" | "turn" | "attempt">): void {
    if (event.type === "model.requested") {
      const { turn, attempt } = event;
      this.#open = { turn, attempt };
      this.#position = 0;
    } else if (event.type === "model.responded" || event.type === "model.failed") this.#open = undefined;
  }

  /** Yields the text that was written since the last call. */
  *deltas(): Generator<TextDelta, void, void> {
    for (;;) {
      const { partialText } = this.#buffer;
      if (
        partialText === undefined ||
        partialText.turn !== this.#open?.turn ||
        partialText.attempt !== this.#open.attempt
      )
        return;
      if (partialText.length <= this.#position) return;
      const { executionId, turn } = partialText;
      const text = beginningOf(partialText.since(this.#position), MAX_DELTA_LENGTH);
      this.#position += text.length;
      yield { type: "text.delta", executionId, turn, text };
    }
  }
}
