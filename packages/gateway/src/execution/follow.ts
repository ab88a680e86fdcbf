import { type ExecutionEvent, FINAL_EVENT_TYPES, type StreamEvent } from "@yagate/protocol";
import type { ExecutionJournal } from "../journal/port.ts";
import { DraftReader } from "./draft-reader.ts";
import { Inbox } from "./inbox.ts";
import type { TextDeltas } from "./text-deltas.ts";

/** What readers read from. */
export interface FollowSource {
  readonly journal: ExecutionJournal;
  readonly deltas?: TextDeltas;
}

/**
 * The numbered events of an execution after `afterSeq`, without a gap or a repeat, with text deltas between them, until
 * its last event. Ends early when `signal` is aborted.
 *
 * The deltas of a turn, joined, are always the beginning of its text: whoever comes in the middle gets what was written
 * so far first. A reader that takes its time gets the same in larger pieces, and what waits for it stays small. Whoever
 * passes `deltas` counts as a listener, for whom models are asked to stream.
 *
 * @param afterSeq - the last number that the reader has seen; 0 for all.
 */
export async function* follow(
  source: FollowSource,
  executionId: string,
  afterSeq: number,
  signal: AbortSignal,
): AsyncGenerator<StreamEvent, void, void> {
  const inbox = new Inbox();
  // Subscribed first, read second: what is appended in between comes twice and is dropped by its number.
  const stopEvents = source.journal.subscribe(executionId, (entries) => inbox.takeEntries(entries));
  const stopDeltas = source.deltas?.subscribe(executionId, (draft) => inbox.takeDraft(draft));
  const onAbort = () => inbox.wake();
  signal.addEventListener("abort", onAbort);
  try {
    yield* withDrafts(numberedEvents(source.journal, inbox, { executionId, afterSeq, signal }), inbox, afterSeq);
  } finally {
    stopEvents();
    stopDeltas?.();
    signal.removeEventListener("abort", onAbort);
  }
}

/** Said in place of an event: there is none at the moment. */
const NONE_YET = "none yet";

/** The events after `afterSeq` and the one before, which says whether any can follow it. */
async function* numberedEvents(
  journal: ExecutionJournal,
  inbox: Inbox,
  { executionId, afterSeq, signal }: { executionId: string; afterSeq: number; signal: AbortSignal },
): AsyncGenerator<ExecutionEvent | typeof NONE_YET, void, void> {
  let lastSeq = Math.max(0, afterSeq - 1);
  let mayHaveMore = true;
  while (!signal.aborted) {
    const next = inbox.event(lastSeq + 1);
    if (next !== undefined) {
      lastSeq = next.seq;
      yield next;
    } else if (mayHaveMore || inbox.dueSeq > lastSeq) {
      const { dueSeq } = inbox;
      const { entries, isLast } = await journal.entryPage(executionId, lastSeq);
      for (const { event } of entries) {
        lastSeq = event.seq;
        yield event;
      }
      mayHaveMore = !isLast;
      if (entries.length === 0 && inbox.dueSeq === dueSeq) inbox.settle(lastSeq);
    } else {
      yield NONE_YET;
      if (inbox.dueSeq <= lastSeq && !signal.aborted) await inbox.changed();
    }
  }
}

async function* withDrafts(
  events: AsyncIterable<ExecutionEvent | typeof NONE_YET>,
  inbox: Inbox,
  afterSeq: number,
): AsyncGenerator<StreamEvent, void, void> {
  const reader = new DraftReader(inbox);
  for await (const event of events) {
    yield* reader.deltas();
    if (event === NONE_YET) continue;
    reader.pass(event);
    if (event.seq > afterSeq) yield event;
    if (FINAL_EVENT_TYPES.has(event.type)) return;
  }
}
