import { FINAL_EVENT_TYPES } from "@yagate/protocol";
import type { EventStore } from "@yagate/store/port";
import { type EncodedEvent, encodeEvent } from "./encoded-event.ts";
import { PartialTextReader } from "./partial-text-reader.ts";
import type { ReadSubject } from "./reader-queue.ts";
import type { SharedEvents } from "./shared-events.ts";
import { SubscriberBuffer } from "./subscriber-buffer.ts";
import type { TextDeltas } from "./text-deltas.ts";

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
