import { type ExecutionEvent, FINAL_EVENT_TYPES, type StreamEvent } from "@yagate/protocol";
import type { ExecutionJournal } from "../journal/port.ts";
import type { TextDeltas } from "./text-deltas.ts";

// A reader this far behind is not reading: the numbered events it still gets from the journal, the deltas it loses.
const MAX_QUEUED_DELTAS = 1_000;

/**
 * The numbered events of an execution after `afterSeq`, without a gap or a repeat, with text deltas between them, until
 * its last event. Ends early when `signal` is aborted.
 *
 * Whoever passes `deltas` counts as a listener, for whom models are asked to stream.
 *
 * @param afterSeq - the last number that the reader has seen; 0 for all.
 */
export async function* follow(
  source: { readonly journal: ExecutionJournal; readonly deltas?: TextDeltas },
  executionId: string,
  afterSeq: number,
  signal: AbortSignal,
): AsyncGenerator<StreamEvent, void, void> {
  const queue: StreamEvent[] = [];
  let lastSeq = afterSeq;
  let wake: () => void = () => {};
  const push = (event: StreamEvent) => {
    queue.push(event);
    wake();
  };
  const stopEvents = source.journal.subscribe(executionId, (entries) => {
    for (const { event } of entries) push(event);
  });
  const stopDeltas = source.deltas?.subscribe(executionId, (delta) => {
    if (queue.length < MAX_QUEUED_DELTAS) push(delta);
  });
  const onAbort = () => wake();
  signal.addEventListener("abort", onAbort);
  try {
    // Subscribed first, read second: what is appended in between comes twice and is dropped by its number.
    const earlier = await source.journal.entries(executionId, Math.max(0, afterSeq - 1));
    for (const { event } of earlier) {
      lastSeq = event.seq;
      // The last one that the reader has seen is read again only to learn whether anything can follow it.
      if (event.seq > afterSeq) yield event;
      if (FINAL_EVENT_TYPES.has(event.type)) return;
    }
    while (!signal.aborted) {
      const event = queue.shift();
      if (event === undefined) {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
        continue;
      }
      if (event.type === "text.delta") {
        yield event;
        continue;
      }
      if (event.seq <= lastSeq) continue;
      yield* catchUp(source.journal, executionId, lastSeq, event);
      lastSeq = event.seq;
      yield event;
      if (FINAL_EVENT_TYPES.has(event.type)) return;
    }
  } finally {
    stopEvents();
    stopDeltas?.();
    signal.removeEventListener("abort", onAbort);
  }
}

/** The events that lie between the last one seen and this one, if a notification was lost. */
async function* catchUp(
  journal: ExecutionJournal,
  executionId: string,
  lastSeq: number,
  next: ExecutionEvent,
): AsyncGenerator<ExecutionEvent, void, void> {
  if (next.seq === lastSeq + 1) return;
  for (const { event } of await journal.entries(executionId, lastSeq)) {
    if (event.seq < next.seq) yield event;
  }
}
